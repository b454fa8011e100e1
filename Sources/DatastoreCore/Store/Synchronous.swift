/// How durable a save is when the power fails or the system crashes, named as by
/// [SQLite](https://www.sqlite.org/pragma.html#pragma_synchronous). In every mode a save survives the end of
/// the program, and the file stays consistent.
public enum Synchronous: String, Sendable, Hashable, CaseIterable {
  /// A save reaches the disk a little later: when the power fails, the last saves may be lost, each as a
  /// whole. The fastest mode. Applies to stores made by this library, which are in WAL mode; other files are
  /// saved with `full`.
  case normal
  /// A save is on the disk before it returns; in files that are not in WAL mode, it may still be rolled back
  /// when the power fails within the next moments. Costs one or two waits for the disk for each save.
  case full
  /// A save is permanently on the disk before it returns, whatever the journal mode of the file.
  case extra
}

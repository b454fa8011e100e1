/// How sure a save is to survive when the power fails or the system crashes, named as by
/// [SQLite](https://www.sqlite.org/pragma.html#pragma_synchronous). Whatever it is, a save survives the end
/// of the program, and the file stays whole.
public enum Synchronous: String, Sendable, Hashable, CaseIterable {
  /// A save is on the disk a little later: when the power fails, the last ones may be gone, each of them as
  /// a whole. The fastest. It holds for stores made by this library, which are in WAL mode; other files
  /// are saved with `full`.
  case normal
  /// A save is on the disk before it returns; in files that are not in WAL mode, it may still be taken
  /// back when the power fails within the next moments. Costs one or two waits for the disk for each
  /// save.
  case full
  /// A save is on the disk for good before it returns, whatever the journal mode of the file.
  case extra
}

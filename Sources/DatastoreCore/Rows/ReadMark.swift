/// A moment of a server's history: what it had committed by then is in the rows that were read since, as far as nobody has
/// written them again.
package struct ReadMark: Hashable, Sendable {
  /// The run of a server: the microsecond in which it was started. Numbers of transactions mean something in it only.
  package let run: Int64
  /// A transaction; all with a lower number had ended.
  package let transaction: UInt64

  package init(run: Int64, transaction: UInt64) {
    self.run = run
    self.transaction = transaction
  }
}

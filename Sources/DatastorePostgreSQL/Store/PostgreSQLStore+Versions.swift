#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Synchronization

/// Whether rows that are deleted are known by who has written them.
extension PostgreSQLStore {
  /// Whether pages of rows note when they were read, so that rows that are deleted later need not be compared.
  var marksRows: Bool {
    mapping.isNative && !isReadOnly && lent == nil && trustsVersions
      && capabilities.isSuperset(of: [.rowVersions, .snapshots])
  }

  /// The moment that a server has told before rows were read.
  ///
  /// - Returns: nil where it is before the last save of our own, since somebody has been writing for longer: just those
  ///   rows are likely to be deleted that would have to be compared after all.
  func mark(_ result: PostgreSQLResult) -> ReadMark? {
    guard let mark = ReadMark(result),
      mark.transaction > lastOwnTransaction.load(ordering: .relaxed)
    else { return nil }
    return mark
  }

  /// Notes the number of a transaction of our own that was committed.
  func noteCommitted(_ number: String?) {
    guard let number = number.flatMap({ UInt64($0) }) else { return }
    lastOwnTransaction.max(number, ordering: .relaxed)
  }

  /// Whether what rows say of who has written them has proved useful so far.
  var trustsVersions: Bool { versionDoubts.load(ordering: .relaxed) < 3 }

  /// Notes that rows were the same that were said to be written since. Who meets that several times reads from a server that
  /// follows another one, say, and is better off comparing.
  func doubtVersions() { versionDoubts.add(1, ordering: .relaxed) }
}
#endif

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

  /// Whether what rows say of who has written them has proved useful so far.
  var trustsVersions: Bool { versionDoubts.load(ordering: .relaxed) < 3 }

  /// Notes that rows were the same that were said to be written since. Who meets that several times reads from a server that
  /// follows another one, say, and is better off comparing.
  func doubtVersions() { versionDoubts.add(1, ordering: .relaxed) }
}
#endif

#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Foundation

/// The record that a writing transaction leaves for others: its row in the log of changes, and the
/// notification after it. Third-party tables have no log.
struct SaveRecord {
  /// Identifies the row, however often it is sent.
  let id = UUID()
  private let store: PostgreSQLStore

  init(_ store: PostgreSQLStore) { self.store = store }

  /// The statement that inserts the row. Its answer is the number of the transaction, as text; NULL if the
  /// server has none.
  ///
  /// - Parameter changed: the changes of the transaction; nil if they are not recorded.
  func statement(_ changed: MergedKeys?) -> PostgreSQLStatement {
    store.record(of: changed ?? MergedKeys(), as: id)
  }

  /// The end of the transaction, and the notification.
  func ending(_ changed: MergedKeys?) -> [PostgreSQLStatement] {
    let commit = PostgreSQLStatement("COMMIT", isKept: true)
    guard store.capabilities.contains(.notifications) else { return [commit] }
    return [commit, store.notification(of: changed ?? MergedKeys())]
  }

  /// Applies the answers, so that the transaction is not mistaken for that of another program.
  ///
  /// - Parameter last: the answer to the last statement of the `ending`.
  func apply(_ row: PostgreSQLResult, _ last: PostgreSQLResult) {
    // A notification is a transaction, too.
    store.recordOwn([row] + (last.columnCount > 0 ? [last] : []))
  }

  /// Whether exactly this row is in the way: an earlier attempt was committed.
  func isThere(_ failure: PostgreSQLFailure) -> Bool {
    store.mapping.isNative && failure.code == "23505" && failure.table == "_datastore_changes"
  }
}
#endif

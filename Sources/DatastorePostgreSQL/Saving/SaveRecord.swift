#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Foundation

/// What a transaction that writes leaves for others: its row in the log of changes, and the notification
/// behind it. Where foreign tables are written there is no log.
struct SaveRecord {
  /// By which the row is found, however often it is sent.
  let id = UUID()
  private let store: PostgreSQLStore

  init(_ store: PostgreSQLStore) { self.store = store }

  /// The row. Its answer is the number of the transaction, as text; NULL where the server has none.
  ///
  /// - Parameter changed: what the transaction has changed; nil where that is not said.
  func statement(_ changed: MergedKeys?) -> PostgreSQLStatement {
    store.record(of: changed ?? MergedKeys(), as: id)
  }

  /// The end of the transaction, and what follows.
  func ending(_ changed: MergedKeys?) -> [PostgreSQLStatement] {
    let commit = PostgreSQLStatement("COMMIT", isKept: true)
    guard store.capabilities.contains(.notifications) else { return [commit] }
    return [commit, store.notification(of: changed ?? MergedKeys())]
  }

  /// Applies the answers, so that nobody takes the transaction for that of someone else.
  ///
  /// - Parameter last: the answer to the last statement of the `ending`.
  func apply(_ row: PostgreSQLResult, _ last: PostgreSQLResult) {
    // A notification is a transaction, too.
    store.recordOwn([row] + (last.columnCount > 0 ? [last] : []))
  }

  /// Whether it is this very row that is in the way: an earlier attempt was committed.
  func isThere(_ failure: PostgreSQLFailure) -> Bool {
    store.mapping.isNative && failure.code == "23505" && failure.table == "_datastore_changes"
  }
}
#endif

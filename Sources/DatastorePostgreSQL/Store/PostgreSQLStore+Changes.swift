#if PostgreSQL
package import DatastoreCore
import DatastoreSQL
package import Foundation

/// Writes by others, read from the log of a native store.
extension PostgreSQLStore {
  package func externalChanges() throws -> [ExternalChange] {
    // Undetectable writes may have happened.
    guard capabilities.contains(.snapshots) else {
      try requireOpen()
      return [.anything]
    }
    return try mapping.isNative ? loggedChanges() : foreignChanges()
  }

  /// The most rows of the log that are read at once; if there are more, everything is read again.
  private static let limit = 10_000

  /// The changes that have become visible since the last check, and the position for the next one, in one
  /// statement: nothing comes between the two.
  private func loggedChanges() throws -> [ExternalChange] {
    guard lastLook.withLock({ $0 != nil }) else {
      // The server did not answer when the store was opened: there is no position to start from.
      try beginLooking()
      return [.anything]
    }
    return try lastLook.withLock { last in
      guard let former = last else { return [] }
      let result = try read { connection in
        try connection.run(
          PostgreSQLStatement(
            """
            SELECT \(LogPosition.columns), log."author", log."changes", \
            (SELECT "value"::xid8 >= pg_snapshot_xmin($1::pg_snapshot) FROM "_datastore" \
            WHERE "key" = 'pruned') \
            FROM (SELECT pg_current_snapshot() AS snapshot) AS looked \
            LEFT JOIN "_datastore_changes" AS log \
            ON log."xid" >= pg_snapshot_xmin($1::pg_snapshot) \
            AND CASE WHEN $2::xid8[] IS NULL \
            THEN NOT pg_visible_in_snapshot(log."xid", $1::pg_snapshot) \
            ELSE log."xid" <> ALL($2::xid8[]) END \
            AND log."session" IS DISTINCT FROM $3 \
            ORDER BY log."seq" LIMIT \(Self.limit + 1)
            """, former.parameters + [.uuid(session)], isKept: true))
      }
      last = LogPosition(result)
      // The log no longer reaches back to the last check.
      if result.bool(0, 4) || result.rowCount > Self.limit { return [.anything] }
      return changes(in: result)
    }
  }

  /// The changes in rows of the log; consecutive ones by one author are merged.
  private func changes(in result: PostgreSQLResult) -> [ExternalChange] {
    if result.isNull(0, 3) { return [] }
    var changes: [ExternalChange] = []
    for row in 0..<result.rowCount {
      let author = result.text(row, 2)
      if changes.isEmpty || changes[changes.count - 1].author != author {
        changes.append(ExternalChange(keys: MergedKeys(), author: author))
      }
      coder.add(result.bytes(row, 3), to: &changes[changes.count - 1].keys)
    }
    if result.rowCount > 1, repeatsKeys(changes) { return [.anything] }
    // If anything may have changed, the rest adds nothing.
    if let anything = changes.first(where: \.keys.isEverything) {
      return [ExternalChange(keys: .everything, author: anything.author)]
    }
    return changes.filter { !$0.keys.isEmpty }
  }

  /// Whether a row was both inserted and deleted: the order of the log is not that of the commits, so it does
  /// not say which came first.
  private func repeatsKeys(_ changes: [ExternalChange]) -> Bool {
    var inserted: [EntityIndex: Set<RowKey>] = [:]
    for change in changes {
      for (entity, keys) in change.keys.inserted {
        inserted[schema.entities[entity].root, default: []].formUnion(keys)
      }
    }
    return changes.contains { change in
      change.keys.deleted.contains { entity, keys in
        !(inserted[schema.entities[entity].root]?.isDisjoint(with: keys) ?? true)
      }
    }
  }
}

/// Reports of this store to others.
extension PostgreSQLStore {
  /// The statement that every transaction of this store adds: the row of the log, or without a log, its
  /// number for the notification. Returns the number of the transaction.
  ///
  /// - Parameters:
  ///   - keys: the rows it changes.
  ///   - save: identifies the row, however often the transaction is sent.
  package func record(of keys: MergedKeys, as save: UUID) -> PostgreSQLStatement {
    let hasSnapshots = capabilities.contains(.snapshots)
    guard mapping.isNative else {
      // A setting of the session, which is not shared if notifications are possible.
      return PostgreSQLStatement(
        hasSnapshots && capabilities.contains(.notifications)
          ? "SELECT set_config('datastore.save', pg_current_xact_id()::text, false)"
          : "SELECT \(hasSnapshots ? "pg_current_xact_id()" : "NULL")::text", isKept: true)
    }
    let author = SaveOrigin.current.author
    return PostgreSQLStatement(
      """
      INSERT INTO "_datastore_changes" ("save", "session", "author", "changes") \
      VALUES ($1, $2, $3, $4) RETURNING \(hasSnapshots ? "\"xid\"" : "NULL")::text
      """,
      [
        .uuid(save), .uuid(session), author.map { .text($0.withoutNUL) } ?? .null(.text),
        PostgreSQLParameter(type: .bytea, bytes: coder.packed(keys)),
      ], isKept: true)
  }

  /// Wakes the listeners; to be sent in the same message after `COMMIT`. Inside the transaction, it would
  /// make the transactions of all programs end one after the other. Returns the number of its own
  /// transaction.
  package func notification(of keys: MergedKeys) -> PostgreSQLStatement {
    guard mapping.isNative else { return tableNotice(of: keys) }
    let number = capabilities.contains(.snapshots) ? "pg_current_xact_id()" : "NULL"
    return PostgreSQLStatement(
      "SELECT \(number)::text, pg_notify($1, $2)",
      [.text(channels[0]), .text(session.uuidString)], isKept: true)
  }

  /// Excludes transactions of this store from those that count as others' from now on.
  ///
  /// - Parameter results: the answers to `record(of:as:)` and `notification(of:)`.
  package func recordOwn(_ results: [PostgreSQLResult]) {
    if mapping.isNative { return }
    foreignTransactions.withLock { transactions in
      for result in results {
        if let number = result.text(0, 0).flatMap({ UInt64($0) }) {
          transactions.record(own: number)
        }
      }
    }
  }

  /// The channels for programs that show this store. A program that shows a whole database also listens to
  /// the native stores in it, which do not say which tables were changed.
  var channels: [String] {
    if mapping.isNative { return [Self.channel(of: address.searchPath?.first ?? "")] }
    let schemas = mapping.entities.filter { $0.table == "_datastore_changes" }
      .compactMap(\.namespace)
    return ["datastore"] + schemas.map(Self.channel)
  }

  /// A name of at most 63 bytes.
  private static func channel(of schema: String) -> String {
    let name = "datastore \(schema)"
    return name.utf8.count < 64 ? name : "datastore \(Fingerprint(schema).digits)"
  }
}

extension String {
  /// The server's texts cannot contain that character.
  fileprivate var withoutNUL: String { contains("\0") ? replacing("\0", with: "") : self }
}
#endif

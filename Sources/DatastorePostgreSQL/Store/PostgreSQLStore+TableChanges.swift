#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL
import Foundation

/// Writes by others in third-party tables, which have no log.
///
/// Programs that use this library notify each other of the keys. For other programs, the server's snapshot
/// says whether any transaction has ended in its whole cluster since the last check. If so, the numbers of
/// rows that were written in the database decide. The server updates them up to ten seconds late, so they are
/// checked for a while.
extension PostgreSQLStore {
  /// How long the counters are checked after a transaction of another program.
  private static let delayOfCounters = Duration.seconds(12)

  func foreignChanges() throws -> [ExternalChange] {
    let found = try lookAtTransactions()
    let isDue = counters.withLock { counters in
      let now = ContinuousClock.now
      if found == .transactions { counters.until = now + Self.delayOfCounters }
      return now <= counters.until
    }
    let haveMoved = try isDue && haveCountersMoved()
    let told = notices.withLock { notices in
      defer { notices = [] }
      return notices
    }
    if found == .unknown || haveMoved || told.contains(where: \.isEverything) { return [.anything] }
    return told.map { ExternalChange(keys: $0) }
  }

  /// Whether a transaction of another program has ended anywhere in the server's cluster since the last
  /// check.
  private func lookAtTransactions() throws -> ForeignTransactions.Finding {
    let result = try read { connection in
      try connection.run(
        PostgreSQLStatement(
          "SELECT \(ForeignLook.columns) FROM (SELECT pg_current_snapshot() AS snapshot) AS looked",
          isKept: true))
    }
    return foreignTransactions.withLock { $0.look(ForeignLook(result)) }
  }

  /// Whether the server's counts of written rows in this database differ from the last ones. Truncating or
  /// rewriting a table changes its file.
  private func haveCountersMoved() throws -> Bool {
    let now = try read { connection in
      try connection.run(PostgreSQLStatement("SELECT \(TableCounters.sql)", isKept: true))
        .text(0, 0)
    }
    return counters.withLock { counters in
      defer { counters.last = now }
      return counters.last != now
    }
  }

}

/// Notifications between programs that use this library about third-party tables: the sender, the numbers of
/// the transaction and of the notification, which is a transaction, too, and the keys.
extension PostgreSQLStore {
  /// The text of a notification is shorter than 8,000 bytes.
  private static let mostOfNotice = 7_800

  func tableNotice(of keys: MergedKeys) -> PostgreSQLStatement {
    var text = Data(coder.packed(keys)).base64EncodedString()
    if text.utf8.count > Self.mostOfNotice {
      text = Data(coder.packed(.everything)).base64EncodedString()
    }
    let number = capabilities.contains(.snapshots) ? "pg_current_xact_id()" : "NULL"
    return PostgreSQLStatement(
      """
      SELECT \(number)::text, pg_notify($1, concat_ws(' ', $2::text, \
      coalesce(current_setting('datastore.save', true), '0'), coalesce(\(number)::text, '0'), $3::text)), \
      (SELECT count(pg_notify(channel, $2::text)) FROM unnest($4::text[]) AS channel)
      """,
      [
        .text(channels[0]), .text(session.uuidString), .text(text),
        .textArray(channels.dropFirst()),
      ], isKept: true)
  }

  /// Applies a notification of another store.
  ///
  /// - Returns: whether another store has sent it.
  func take(_ notice: String) -> Bool {
    let parts = notice.parts(at: " ")
    if parts.first.map(String.init) == session.uuidString { return false }
    if mapping.isNative { return true }
    var keys = MergedKeys()
    if parts.count == 4, let packed = Data(base64Encoded: String(parts[3])) {
      packed.withUnsafeBytes { coder.add($0, to: &keys) }
      // Its changes are known now: no check needs to look for them.
      foreignTransactions.withLock { transactions in
        for number in parts[1...2].compactMap({ UInt64($0) }) { transactions.record(own: number) }
      }
    } else {
      keys.isEverything = true
    }
    notices.withLock { $0.append(keys) }
    return true
  }
}

/// The server's counts of writes in a database.
struct TableCounters {
  var last: String?
  /// When checking them ends.
  var until = ContinuousClock.now

  /// The numbers as one text.
  static let sql = """
    (SELECT concat_ws(' ', sum(n_tup_ins), sum(n_tup_upd), sum(n_tup_del), \
    sum(pg_relation_filenode(relid)::int8)) FROM pg_stat_user_tables)
    """
}
#endif

import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// The keys of the rows that a statement updates, as SQLite reports each while it writes it.
///
/// `RETURNING` collects what it returns in a temporary table first, which costs a third of the update.
/// This takes the connection's update hook, as `SideChanges` does where there are triggers, and hears of
/// everything that the statement writes: so it is for files of our own without triggers, whose tables all
/// have rowids and where no foreign key changes further rows.
final class WrittenKeys {
  private var keys: [RowKey] = []

  private init() {}

  /// Runs a statement that updates rows of one table, and returns their keys in the order of the writing.
  static func updated(by statement: SQLFragment, in database: Database) throws -> [RowKey] {
    let written = WrittenKeys()
    sqlite3_update_hook(
      database.sqliteConnection,
      { context, _, _, _, rowid in
        guard let context else { return }
        Unmanaged<WrittenKeys>.fromOpaque(context).takeUnretainedValue().keys.append(RowKey(rowid))
      }, Unmanaged.passUnretained(written).toOpaque())
    defer { sqlite3_update_hook(database.sqliteConnection, nil, nil) }
    try RawStatement(statement, in: database).run()
    return written.keys
  }
}

import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// The keys of the rows that a statement updates, as SQLite reports them while writing.
///
/// `RETURNING` first collects its results in a temporary table, which costs a third of the update. This uses
/// the connection's update hook, as `SideChanges` does for files with triggers, and receives everything that
/// the statement writes: so it is for native files without triggers, whose tables all have rowids and in
/// which no foreign key changes further rows.
final class WrittenKeys {
  private var keys: [RowKey] = []

  private init() {}

  /// Runs a statement that updates rows of one table, and returns their keys in the order of writing.
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

import GRDB
import GRDBSQLite

/// What a file can make SQLite do, whatever its schema asks for.
extension Connections {
  /// Instructions of one statement. Generated columns that are made of each other double with each
  /// one; SQLite writes the instructions down before anyone can stop it. Statements that people write
  /// have some thousands.
  private static let longestProgram: Int32 = 2_000_000

  static func setLimits(_ database: Database) {
    sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_VDBE_OP, longestProgram)
  }
}

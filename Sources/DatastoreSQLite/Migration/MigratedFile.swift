import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

struct MigratedFile: MigrationDatabase {
  let database: Database
  /// The connection of `database`; nil if nothing is written.
  var connection: (any DatabaseWriter)?
  let path: String

  func rows(_ sql: SQLFragment) throws -> [[Value]] {
    let statement = try RawStatement(sql, in: database)
    defer { statement.reset() }
    var rows: [[Value]] = []
    while try statement.step() {
      rows.append((0..<Int32(statement.statement.columnCount)).map { statement.value(at: $0) })
    }
    return rows
  }

  @discardableResult func run(_ sql: SQLFragment) throws -> Int {
    try RawStatement(sql, in: database).run()
    return Int(sqlite3_changes64(database.sqliteConnection))
  }

  func prepare(_ values: MigratedValues) throws {
    try SQLFunctions.registerMigration(values.request.initialValues, in: database)
  }

  func namedObjects() throws -> [(kind: String, name: String)] {
    try rows(
      """
      SELECT type, name FROM sqlite_master \
      WHERE type <> 'trigger' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      """
    ).map { ($0[0].plainText, $0[1].plainText) }
  }

  func namesBesideTables(of mapping: SchemaMapping) -> Set<String> { WordTables(mapping).names }

  func store(_ mapping: SchemaMapping) -> any StoreEngine {
    guard let connection else { trap("a forecast runs no closures") }
    return SQLiteStore(borrowing: connection, mapping, path: path)
  }
}

extension SQLiteStore {
  /// A store inside an open transaction of a connection. Used on the thread that has begun it, until it ends.
  convenience init(
    borrowing connection: any DatabaseWriter, _ mapping: SchemaMapping, path: String
  ) {
    self.init(
      mapping: mapping, url: nil, isReadOnly: false, reader: connection,
      writer: .borrowed(connection), trace: nil, path: path)
  }
}

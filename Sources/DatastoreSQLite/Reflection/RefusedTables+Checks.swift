import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

/// SQLite leaves CHECK constraints out on a connection that only reads. So tables whose checks call functions are made
/// once more, in memory, and compiled there.
extension RefusedTables {
  /// - Parameter tables: the tables of the file.
  /// - Returns: what checks keep from being written, by the table's name in lower case.
  static func foundByChecks(among tables: [FileTable]) throws -> [String: TableRefusal] {
    let tables = tables.filter { $0.kind == .table }
    guard tables.contains(where: hasCheckWithCall) else { return [:] }
    let copy = try DatabaseQueue()
    defer { try? copy.close() }
    return copy.inDatabase { database in
      // A table is only made where its functions are there: stand-ins are, until all tables are made.
      var standIns: [String: DatabaseFunction] = [:]
      for table in tables { make(table, in: database, with: &standIns) }
      for standIn in standIns.values { database.remove(function: standIn) }
      if standIns.isEmpty { return [:] }
      // What a foreign key does to the rows that refer to a row is checked, too.
      let suspects = tables.filter(hasCheckWithCall).flatMap { table in
        [table.name] + table.foreignKeys.map(\.table)
      }
      // The copy has no indexes, so that SQLite may find foreign keys wrong that are right.
      return refusals(
        of: tables, among: Set(suspects.map { $0.lowercased() }), in: database,
        because: functionReason)
    }
  }

  private static func hasCheckWithCall(_ table: FileTable) -> Bool {
    guard let sql = table.declaration else { return false }
    return SQLTokens(sql).checks(in: sql).contains { $0.dropFirst().has("(") }
  }

  private static func make(
    _ table: FileTable, in database: Database, with standIns: inout [String: DatabaseFunction]
  ) {
    guard let sql = table.declaration else { return }
    while true {
      do {
        // One statement, whatever the file says.
        return try database.makeStatement(sql: sql).execute()
      } catch {
        let message = (error as? DatabaseError)?.message ?? ""
        guard let name = missingFunction(in: message), standIns[name] == nil else { return }
        let standIn = DatabaseFunction(name, pure: true) { _ in nil }
        standIns[name] = standIn
        database.add(function: standIn)
      }
    }
  }
}

import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

/// SQLite ignores CHECK constraints on a connection that only reads. So tables whose checks call functions
/// are created again, in memory, and compiled there.
extension RefusedTables {
  /// - Parameter tables: the tables of the file.
  /// - Returns: the writes that checks prevent, by the table's name in lower case.
  static func foundByChecks(among tables: [FileTable]) throws -> [String: TableRefusal] {
    let tables = tables.filter { $0.kind == .table }
    guard tables.contains(where: hasCheckWithCall) else { return [:] }
    let copy = try DatabaseQueue()
    defer { try? copy.close() }
    return copy.inDatabase { database in
      // A table is created only if its functions exist: stand-ins do, until all tables are created.
      var standIns: [String: DatabaseFunction] = [:]
      for table in tables { make(table, in: database, with: &standIns) }
      for table in tables { makeKeys(of: table, in: database) }
      for standIn in standIns.values { database.remove(function: standIn) }
      if standIns.isEmpty { return [:] }
      // The effect of a foreign key on the referring rows is checked, too.
      let suspects = tables.filter(hasCheckWithCall).flatMap { table in
        [table.name] + table.foreignKeys.map(\.table)
      }
      // The copy does not have everything in the file, so SQLite may report faults that are none.
      return refusals(
        of: tables, among: Set(suspects.map { $0.lowercased() }), in: database,
        because: functionReason)
    }
  }

  private static func hasCheckWithCall(_ table: FileTable) -> Bool {
    guard let sql = table.declaration else { return false }
    return SQLTokens(sql).checks(in: sql).contains { $0.dropFirst().has("(") }
  }

  /// Foreign keys may refer to columns that only an index makes unique; without it, nothing that checks them
  /// compiles.
  private static func makeKeys(of table: FileTable, in database: Database) {
    for (number, index) in table.indexes.enumerated() where index.isUnique && !index.isPrimaryKey {
      let columns = index.columns.map { "\(name: $0)" as SQLFragment }.joined(by: ", ")
      let name = "\(table.name) by key \(number)"
      // An index that cannot be created here counts as missing.
      _ = try? RawStatement(
        "CREATE UNIQUE INDEX \(name: name) ON \(name: table.name) (\(columns))", in: database
      ).step()
    }
  }

  private static func make(
    _ table: FileTable, in database: Database, with standIns: inout [String: DatabaseFunction]
  ) {
    guard let sql = table.declaration else { return }
    while true {
      do {
        // One statement, whatever the file contains.
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

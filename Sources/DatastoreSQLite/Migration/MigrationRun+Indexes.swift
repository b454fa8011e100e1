import DatastoreCore
import DatastoreSQL
import GRDB

extension MigrationRun {
  /// Drops indexes of words of tables that are written or renamed; they are created again after all steps.
  /// Triggers keep the others up to date.
  func dropWordTables(_ script: MigrationScript) throws {
    let altered = Set(
      plan.former.renames.isEmpty ? script.tables.filter(\.isAltered).map(\.name) : [])
    try WordTables(before).drop(
      besides: WordTables(after), in: database, keeping: altered.contains)
  }

  /// Drops native indexes that the new schema does not have, or that have other columns there.
  func dropIndexes() throws {
    let wanted = Dictionary(
      NativeTables(mapping: plan.after).describedIndexes.map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    // Both in the order of one schema: their names, and their present columns.
    let indexes = zip(
      NativeTables(mapping: plan.before).describedIndexes,
      NativeTables(mapping: plan.former.renamed).describedIndexes)
    for (former, renamed) in indexes {
      if let new = wanted[former.name], new.isAbout(renamed) { continue }
      try RawStatement("DROP INDEX IF EXISTS \(name: former.name)", in: database).run()
    }
  }

  /// Creates all missing indexes of the new schema.
  ///
  /// - Throws: `MigrationError` with all values that are not unique.
  func makeIndexes() throws {
    var obstacles: [MigrationObstacle] = []
    for index in NativeTables(mapping: plan.after).describedIndexes {
      do {
        try RawStatement(index.statement, in: database).run()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        obstacles.append(try index.obstacle(in: plan.after.schema, migrated))
      }
    }
    guard obstacles.isEmpty else { throw MigrationError(path: path, obstacles: obstacles) }
  }

  /// Checks that references of written tables lead to rows, unless they did not before.
  ///
  /// - Parameter former: the number of dangling references before, by the new name of a table; nil to count
  ///   them in the file as others see it.
  /// - Throws: `MigrationError`; the errors of SQLite.
  func checkReferences(_ script: MigrationScript, _ former: [String: Int]?) throws {
    var obstacles: [MigrationObstacle] = []
    for table in script.tables {
      guard case .made(_, let copies) = table.way, !copies.isEmpty || plan.custom != nil else {
        continue
      }
      let count = try Self.danglingReferences(of: table.name, in: database)
      if count == 0 { continue }
      // Others have made them: they were not checked, and are kept.
      let allowed =
        try former?[table.name]
        ?? sourceNames(copies).reduce(0) { $0 + (try formerDanglingReferences(of: $1)) }
      if count > allowed {
        obstacles.append(.brokenReferences(table: table.entity, count: count))
      }
    }
    guard obstacles.isEmpty else { throw MigrationError(path: path, obstacles: obstacles) }
  }

  /// The present numbers of dangling references in the source tables, by the new name of a table.
  func danglingBefore(_ script: MigrationScript) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for table in script.tables {
      guard case .made(_, let copies) = table.way else { continue }
      counts[table.name] = try sourceNames(copies).reduce(0) {
        $0 + (try Self.danglingReferences(of: $1, in: database))
      }
    }
    return counts
  }

  /// The source tables of rows, by their names before.
  private func sourceNames(_ copies: [RowCopy]) -> Set<String> {
    let names = zip(
      [plan.before.entities.map(\.table), joins(plan.before)].joined(),
      [plan.former.renamed.entities.map(\.table), joins(plan.former.renamed)].joined())
    let sources = Set(copies.map(\.source))
    return Set(names.filter { sources.contains($0.1) }.map(\.0))
  }

  private func joins(_ mapping: SchemaMapping) -> [String] {
    NativeTables(mapping: mapping).joinTables.map(\.join.table)
  }

  private static func danglingReferences(of table: String, in database: Database) throws -> Int {
    let count = try RawStatement(
      "SELECT count(*) FROM pragma_foreign_key_check(\(.text(table)))", in: database
    ).firstInteger()
    return Int(count ?? 0)
  }

  /// In the file as others see it, before the transaction. A store in memory has no such state.
  private func formerDanglingReferences(of table: String) throws -> Int {
    guard let file else { return 0 }
    let queue = try DatabaseQueue(path: file, configuration: Connections.probing())
    defer { try? queue.close() }
    return try queue.read { try Self.danglingReferences(of: table, in: $0) }
  }
}

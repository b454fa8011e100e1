import DatastoreCore
import DatastoreSQL
import GRDB

extension MigrationRun {
  /// Indexes of words of tables that are written or renamed; they are made again when all steps are done.
  /// Others stay right by their triggers.
  func dropWordTables(_ script: MigrationScript) throws {
    let altered = Set(
      plan.former.renames.isEmpty ? script.tables.filter(\.isAltered).map(\.name) : [])
    try WordTables(before).drop(
      besides: WordTables(after), in: database, keeping: altered.contains)
  }

  /// Native indexes that the new schema does not have, or that are about other columns there.
  func dropIndexes() throws {
    let wanted = Dictionary(
      NativeTables(mapping: plan.after).describedIndexes.map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    // Both in the order of one schema: the names that they have, and what they are about by now.
    let indexes = zip(
      NativeTables(mapping: plan.before).describedIndexes,
      NativeTables(mapping: plan.former.renamed).describedIndexes)
    for (former, renamed) in indexes {
      if let new = wanted[former.name], new.isAbout(renamed) { continue }
      try RawStatement("DROP INDEX IF EXISTS \(name: former.name)", in: database).run()
    }
  }

  /// All indexes of the new schema that are not there.
  ///
  /// - Throws: `MigrationError` with all that is not unique.
  func makeIndexes() throws {
    var obstacles: [MigrationObstacle] = []
    for index in NativeTables(mapping: plan.after).describedIndexes {
      do {
        try RawStatement(index.statement, in: database).run()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        let found = try DuplicateGroups(
          index.columns, in: "SELECT * FROM \(name: index.table)\(index.condition)", migrated)
        obstacles.append(
          .duplicates(
            entity: index.entity.map { plan.after.schema.entities[$0].name } ?? index.table,
            properties: index.properties, groups: found?.groups ?? [],
            isMore: found?.isMore ?? false))
      }
    }
    guard obstacles.isEmpty else { throw MigrationError(path: path, obstacles: obstacles) }
  }

  /// References of tables that were written lead somewhere, unless they did not before.
  ///
  /// - Parameter former: how many did not before, by the new name of a table; nil where that is looked up in
  ///   the file as others see it.
  /// - Throws: `MigrationError`; what SQLite reports.
  func checkReferences(_ script: MigrationScript, _ former: [String: Int]?) throws {
    var obstacles: [MigrationObstacle] = []
    for table in script.tables {
      guard case .made(_, let copies) = table.way, !copies.isEmpty || plan.custom != nil else {
        continue
      }
      let count = try Self.danglingReferences(of: table.name, in: database)
      if count == 0 { continue }
      // Others have made them: they were not checked, and are kept as they are.
      let allowed =
        try former?[table.name]
        ?? sourceNames(copies).reduce(0) { $0 + (try formerDanglingReferences(of: $1)) }
      if count > allowed {
        obstacles.append(.brokenReferences(table: table.entity, count: count))
      }
    }
    guard obstacles.isEmpty else { throw MigrationError(path: path, obstacles: obstacles) }
  }

  /// By the new name of a table: references that lead nowhere in those that its rows come from, as they are
  /// now.
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

  /// The tables that rows are copied from, by the names that they had before.
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

  /// In the file as others see it, before the transaction. A store in memory has no others.
  private func formerDanglingReferences(of table: String) throws -> Int {
    guard let file else { return 0 }
    let queue = try DatabaseQueue(path: file, configuration: Connections.probing())
    defer { try? queue.close() }
    return try queue.read { try Self.danglingReferences(of: table, in: $0) }
  }
}

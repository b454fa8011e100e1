#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Changes the indexes and unique constraints of a store to those of the new schema.
///
/// Indexes on the same columns under other names are renamed, which reads no row.
struct IndexChange {
  private let run: ServerMigrationRun
  private var schema: MigratedSchema { run.schema }

  init(_ run: ServerMigrationRun) { self.run = run }

  /// - Throws: `MigrationError` with all values that are not unique.
  func perform() throws {
    let wanted = NativeTables(mapping: run.after).describedIndexes
    let wantedByName = Dictionary(
      wanted.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var present = try tablesByIndex()
    // Both in the order of one schema: the former names, and the columns that the indexes now cover.
    let former = zip(
      NativeTables(mapping: run.before).describedIndexes,
      NativeTables(mapping: run.renamed).describedIndexes
    ).filter { present[$0.0.name] != nil }
    var unneeded: [(name: String, index: NativeIndex)] = []
    for (old, renamed) in former {
      if let new = wantedByName[old.name], new.keeps(renamed) { continue }
      unneeded.append((old.name, renamed))
    }
    for index in wanted where present[index.name] == nil {
      guard let place = unneeded.firstIndex(where: { index.keeps($0.index) }) else { continue }
      let name = unneeded.remove(at: place).name
      // A constraint has the name of its index.
      try schema.run("ALTER INDEX \(name: name) RENAME TO \(name: index.name)")
      present[index.name] = present.removeValue(forKey: name)
    }
    for (name, _) in unneeded {
      guard let table = present.removeValue(forKey: name) else { continue }
      try schema.run(
        try isConstraint(name)
          ? "ALTER TABLE \(name: table) DROP CONSTRAINT \(name: name)"
          : "DROP INDEX \(name: name)")
    }
    try make(wanted.filter { present[$0.name] == nil })
  }

  /// The table of each index, by the index's name.
  private func tablesByIndex() throws -> [String: String] {
    let rows = try schema.texts(
      """
      SELECT i.relname::text, t.relname::text FROM pg_index AS x \
      JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid \
      JOIN pg_namespace AS n ON n.oid = t.relnamespace WHERE n.nspname = \(.text(schema.name))
      """)
    return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether an index belongs to a constraint: on servers that check uniqueness when a transaction ends.
  private func isConstraint(_ index: String) throws -> Bool {
    try schema.count(
      "SELECT count(*) FROM pg_constraint WHERE conindid = \(.text(schema.qualified(index)))::regclass"
    ) > 0
  }

  private func make(_ indexes: [NativeIndex]) throws {
    var obstacles: [MigrationObstacle] = []
    let keys = Dictionary(
      run.after.entities.map { ($0.table, $0.keyColumn) }, uniquingKeysWith: { first, _ in first })
    for index in indexes {
      let statement = run.after.dialect.statement(for: index, key: keys[index.table])
      let failure = try schema.attempt { try schema.run(statement) }
      guard let failure else { continue }
      guard ["23505", "23P01"].contains(failure.code) else { throw failure }
      obstacles.append(try index.obstacle(in: run.after.schema, schema))
    }
    guard obstacles.isEmpty else { throw MigrationError(path: schema.place, obstacles: obstacles) }
  }
}

extension NativeIndex {
  /// Whether both are the same except for their names.
  fileprivate func keeps(_ other: NativeIndex) -> Bool {
    isAbout(other) && descending == other.descending
  }
}
#endif

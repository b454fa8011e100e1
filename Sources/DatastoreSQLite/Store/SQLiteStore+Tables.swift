import DatastoreCore
import GRDB

/// Noticing that someone else has changed the tables of the file (`ALTER TABLE`, or `DROP` and `CREATE`):
/// the mapping was made from what they were like when the file was opened.
extension SQLiteStore {
  /// Whether tables, views or indexes of the file are others than when it was opened, or last found to be as
  /// good as those. `VACUUM` raises the version of the schema as well, and changes none of them.
  ///
  /// - Throws: `StoreError`.
  package func haveTablesChanged() throws -> Bool {
    if url == nil { return false }
    return try read { database in
      let version = try RawStatement.schemaVersion(database)
      if version == self.knownTables.withLock({ $0 }) { return false }
      let tables = try FileTable.all(in: database)
      let isAsKnown =
        self.mapping.isNative
        ? StoredSchemaFitting(self.schema, tables).differences.isEmpty
        : Set(tables) == Set(self.mapping.tables)
      guard isAsKnown else { return true }
      self.knownTables.withLock { $0 = version }
      return false
    }
  }

  /// Makes sure, in the transaction that is about to write, that the tables of entities are still those
  /// that the mapping was made from. Columns that came behind theirs, and tables that have nothing to do
  /// with them, make no difference.
  ///
  /// - Parameter entities: all of them without it.
  /// - Throws: `StoreError.tablesChanged`.
  func requireKnownTables(_ entities: Set<Int>? = nil, in database: Database) throws {
    if url == nil { return }
    let version = try RawStatement.schemaVersion(database)
    guard version != knownTables.withLock({ $0 }) else { return }
    let expected = try expectedTables()
    let present = try FileTable.all(in: database)
    var changed = Set(
      expected.compactMap { table in
        let now = present.first { $0.name.lowercased() == table.name.lowercased() }
        return now?.isUsable(as: table) ?? false ? nil : table.name
      })
    // A new table may delete its rows, or refuse, when a row of an old one goes.
    let names = Set(expected.map { $0.name.lowercased() })
    for table in present where !names.contains(table.name.lowercased()) {
      for key in table.foreignKeys where names.contains(key.table.lowercased()) {
        changed.formUnion(expected.map(\.name).filter { $0.lowercased() == key.table.lowercased() })
      }
    }
    if changed.isEmpty {
      knownTables.withLock { $0 = version }
      return
    }
    let written = entities.map(tables(of:))
    let concerned = changed.filter { written?.contains($0.lowercased()) ?? true }
    guard concerned.isEmpty else {
      throw StoreError.tablesChanged(path: path, tables: concerned.sorted())
    }
  }

  /// The tables that rows of entities are written to or looked up in, by their names in lower case.
  private func tables(of entities: Set<Int>) -> Set<String> {
    var names: Set<String> = []
    for entity in entities {
      names.insert(mapping.entities[entity].table.lowercased())
      for slot in mapping.entities[entity].slots {
        switch slot {
        case .toOne(let foreign):
          names.insert(mapping.entities[foreign.destination].table.lowercased())
        case .toManyJoin(let join): names.insert(join.table.lowercased())
        case .attribute, .toManyForeignKey: continue
        }
      }
    }
    return names
  }

  /// What the file's tables were like when the mapping was made.
  private func expectedTables() throws -> [FileTable] {
    guard mapping.isNative else { return mapping.tables }
    // Ours follow from the model.
    let model = try DatabaseQueue()
    return try model.inDatabase { database in
      for statement in NativeTables(mapping: mapping).statements {
        try RawStatement(statement, in: database).run()
      }
      return try FileTable.all(in: database)
    }
  }

}

extension FileTable {
  /// Whether all that is known of a table is true of this one as well. It may have more columns, behind the
  /// known ones, and more indexes.
  fileprivate func isUsable(as known: FileTable) -> Bool {
    kind == known.kind && isStrict == known.isStrict && isWithoutRowid == known.isWithoutRowid
      && columns.starts(with: known.columns) && hasVirtualRowid == known.hasVirtualRowid
      && primaryKey == known.primaryKey && rowidColumn == known.rowidColumn
      && known.indexes.allSatisfy { !$0.isUnique || indexes.contains($0) }
      && Set(foreignKeys).isSuperset(of: known.foreignKeys)
      && foreignKeys.allSatisfy { key in
        known.foreignKeys.contains(key) || key.columns.allSatisfy { known.column($0) == nil }
      }
  }
}

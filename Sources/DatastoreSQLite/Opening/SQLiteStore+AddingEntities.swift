package import DatastoreCore
import DatastoreSQL
import GRDB

/// Adding tables to a file that has others.
extension SQLiteStore {
  /// Creates tables for entities with attributes only: as entities in a native file, as plain tables in any
  /// other. This store does not know them; open the file again.
  ///
  /// - Throws: `StoreError`; nothing is changed then.
  package func addEntities(_ descriptions: [EntityDescription]) throws {
    try requireWritable()
    try writeTransaction { database in
      if mapping.isNative {
        try NativeFile(mapping, path: path).add(descriptions, in: database)
      } else {
        let statements = PlainTableStatements(SQLiteDialect())
        for description in descriptions {
          try RawStatement(statements.table(PlainTable(description)), in: database).run()
        }
      }
    }
  }

  /// Removes entities that `addEntities` created, if they have no rows.
  ///
  /// - Throws: `StoreError`; nothing is changed then.
  package func removeEmptyEntities(_ names: [String]) throws {
    let empty = try names.filter { name in
      guard schema.entity(named: name) != nil else { return false }
      return try count(FetchRequest(entity: name)) == 0
    }
    if empty.isEmpty { return }
    try writeTransaction { database in
      for name in empty {
        guard let entity = schema.entity(named: name) else { continue }
        try RawStatement("DROP TABLE \(name: mapping.entities[entity.index].table)", in: database)
          .run()
      }
      if mapping.isNative {
        let kept = schema.entities.map(\.description).filter { !empty.contains($0.name) }
        try WordTables(mapping).drop(besides: WordTables(.native(Schema(kept))), in: database)
        try FileMetadata.describe(kept, version: nil, in: database)
      }
    }
  }
}

extension NativeFile {
  /// Creates the tables of further entities and adds them to the file's description.
  ///
  /// - Throws: `StoreError.schemaMismatch` when they would need the names of existing tables.
  func add(_ descriptions: [EntityDescription], in database: Database) throws {
    let (grown, added) = try mapping.adding(descriptions, at: path)
    let tables = NativeTables(mapping: grown)
    for statement in added.map({ tables.table($0) }) + tables.indexes {
      try RawStatement(statement, in: database).run()
    }
    try WordTables(grown).make(in: database)
    try FileMetadata.describe(
      grown.schema.entities.map(\.description), version: nil, in: database)
  }
}

#if PostgreSQL
import Basics
package import DatastoreCore
import DatastoreSQL

/// Details that a browser shows about a database and its tables.
extension PostgreSQLStore {
  package func storeUUID() throws -> String? {
    guard isNative else { return nil }
    return try read { connection in
      let result = try connection.run(
        PostgreSQLStatement("SELECT \"value\" FROM \"_datastore\" WHERE \"key\" = 'uuid'"))
      return result.rowCount == 0 ? nil : result.text(0, 0)
    }
  }

  package func migrationHistory() throws -> [MigrationRecord] {
    guard isNative else { return [] }
    return try read { connection in
      NativeDescription(try connection.run(PostgreSQLStatement(NativeDescription.query)).texts())
        .history
    }
  }

  package func indexes(of entity: Entity) throws -> [IndexInformation] {
    let table = mapping.entities[entity.index].qualifiedTable
    let name = try table.rendered(for: PostgreSQLDialect()).text
    return try read { connection in
      let result = try connection.run(
        PostgreSQLStatement(ServerCatalog.indexesOfTable, [.text(name)]))
      return (0..<result.rowCount).map { row in
        IndexInformation(
          name: result.text(row, 0) ?? "", columns: result.texts(row, 1) ?? [],
          isUnique: result.bool(row, 2), isPartial: result.bool(row, 3))
      }
    }
  }

  package func tableDetails() throws -> ByEntity<TableDetails?> {
    guard !isNative else { return ByEntity(repeating: nil, count: mapping.entities.count) }
    return try read { connection in
      let tables = try ServerTable.all(on: connection)
      let result = try connection.run(PostgreSQLStatement(ServerCatalog.triggers))
      var triggers: [Int64: [TableDetails.Trigger]] = [:]
      for row in 0..<result.rowCount {
        triggers[result.integer(row, 0) ?? 0, default: []].append(
          TableDetails.Trigger(name: result.text(row, 1) ?? "", sql: result.text(row, 2) ?? ""))
      }
      return ByEntity(
        self.mapping.entities.map { mapped in
          tables.first { $0.storedName.isExactly(mapped.table) && $0.schema == mapped.namespace }
            .map {
              TableDetails($0, triggers[$0.number, default: []])
            }
        })
    }
  }

  /// Makes the sequence of a family continue after the keys.
  package func reserve(_ keys: [RowKey], entity: EntityIndex) throws {
    guard mapping.isNative, let greatest = keys.max() else { return }
    let root = schema.entities[schema.entities[entity].root]
    let name = Quoting.sqlName(KeyBlocks.sequence(of: root))
    try read { connection in
      _ = try connection.run(
        PostgreSQLStatement(
          """
          SELECT setval($1::text::regclass, $2::int8) \
          WHERE coalesce(pg_sequence_last_value($1::text::regclass), 0) < $2::int8
          """, [.text(name), .int8(greatest.rawValue)]))
    }
  }
}

extension TableDetails {
  fileprivate init(_ table: ServerTable, _ triggers: [Trigger]) {
    self.init(
      columns: table.columns.map { column in
        Column(
          name: column.name, declaredType: column.declaredType, isNotNull: column.isNotNull,
          keyPosition: table.primaryKey.firstIndex(of: column.name).map { $0 + 1 },
          defaultText: column.defaultText, isGenerated: column.isGenerated,
          references: table.foreignKeys.compactMap { key in
            key.columns.firstIndex(of: column.name).map { place in
              Reference(target: "\(key.table)(\(key.referenced[place]))", onDelete: key.onDelete)
            }
          })
      },
      isWithoutRowid: false, isStrict: false, checks: table.checks, triggers: triggers,
      sql: table.declaration)
  }
}
#endif

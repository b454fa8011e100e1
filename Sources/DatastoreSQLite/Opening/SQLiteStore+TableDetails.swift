import Basics
package import DatastoreCore
import DatastoreSQL
import GRDB

/// A third-party file's description of a table beyond its entity.
extension SQLiteStore {
  /// The file's description of its table or view, by entity; nil for entities of native files, and for those
  /// of a model in the file, which describes more.
  ///
  /// - Throws: `StoreError`.
  package func tableDetails() throws -> ByEntity<TableDetails?> {
    guard !describesEntities else { return ByEntity(repeating: nil, count: mapping.entities.count) }
    return try read { database in
      let tables = try FileTable.all(in: database)
      let triggers = Dictionary(
        grouping: try TriggerText.all(in: database), by: { $0.table.caselessKey })
      return ByEntity(
        mapping.entities.map { entity in
          tables.first { $0.name.isExactly(entity.table) }.map { table in
            TableDetails(table, triggers[table.name.caselessKey, default: []])
          }
        })
    }
  }
}

extension TableDetails {
  fileprivate init(_ table: FileTable, _ triggers: [TriggerText]) {
    self.init(
      columns: table.columns.map { column in
        Column(
          name: column.name, declaredType: column.declaredType, isNotNull: column.isNotNull,
          keyPosition: column.keyPosition > 0 ? column.keyPosition : nil,
          defaultText: column.defaultText, isGenerated: column.isGenerated,
          references: Self.references(of: column.name, in: table))
      },
      isWithoutRowid: table.isWithoutRowid, isStrict: table.isStrict,
      checks: table.declaration.map { SQLTokens($0).checks(in: $0) } ?? [],
      triggers: triggers.map { Trigger(name: $0.name, sql: $0.sql) }, sql: table.declaration)
  }

  private static func references(of column: String, in table: FileTable) -> [Reference] {
    table.foreignKeys.compactMap { key in
      guard let place = key.columns.firstIndex(where: { $0.caselessKey == column.caselessKey })
      else { return nil }
      let referenced = key.referenced.indices.contains(place) ? "(\(key.referenced[place]))" : ""
      return Reference(target: key.table + referenced, onDelete: key.onDelete)
    }
  }
}

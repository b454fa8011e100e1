package import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Information about a store and its entities for a browser.
extension SQLiteStore {
  /// The indexes of an entity's table that were created by name, not by a constraint.
  ///
  /// - Throws: `StoreError`.
  package func indexes(of entity: Entity) throws -> [IndexInformation] {
    let mapped = mapping.entities[entity.index]
    guard mapped.kind == .table else { return [] }
    return try read { database in
      let list = try RawStatement(
        """
        SELECT name, "unique", partial FROM pragma_index_list(\(.text(mapped.table))) \
        WHERE origin = 'c' ORDER BY name
        """, in: database)
      var indexes: [IndexInformation] = []
      while try list.step() {
        let name = list.value(at: 0).plainText
        let info = try RawStatement(
          "SELECT name FROM pragma_index_info(\(.text(name))) ORDER BY seqno", in: database)
        var columns: [String?] = []
        while try info.step() {
          let column = info.value(at: 0)
          columns.append(column.isNull ? nil : column.plainText)
        }
        indexes.append(
          IndexInformation(
            name: name, columns: columns, isUnique: list.value(at: 1) == 1,
            isPartial: list.value(at: 2) == 1))
      }
      return indexes
    }
  }

  package func storeUUID() throws -> String? {
    guard isNative else { return nil }
    return try read { try FileMetadata.value("uuid", in: $0) }
  }

  package var schemaDifferences: [String] { reflected?.differences ?? [] }

  package var modelNotes: [String] { reflected?.notes ?? [] }

  package var modelRemarks: [String] { coreData?.remarks ?? [] }

  package func changedProperties(_ bits: [UInt8], ofEntity number: Int64) -> [String] {
    coreData?.changedProperties(bits, ofEntity: number) ?? []
  }

  /// Whether the file describes its entities: a native one, or a Core Data store with its model.
  package var describesEntities: Bool { isNative || hasCoreDataModel }

  /// SQLite's number for the durability of saves, as reported by the saving connection.
  package func synchronousOfSaves() throws -> Value? {
    try write { database in
      let statement = try RawStatement("PRAGMA synchronous", in: database)
      defer { statement.reset() }
      return try statement.step() ? statement.value(at: 0) : nil
    }
  }

  /// Limits the file to a number of pages, for simulating a full disk.
  package func limitPages(to count: Int) throws {
    try write { database in
      _ = try RawStatement("PRAGMA max_page_count = \(number: count)", in: database).firstInteger()
    }
  }

  /// The values that the table's declaration allows for an attribute by `CHECK (column IN (…))`, in its
  /// order; nil without such a constraint.
  package func allowedValues(of slot: Slot, in entity: Entity) -> [Value]? {
    guard case .attribute(let column) = mapping.entities[entity.index].slots[slot],
      let declaration = mapping.entities[entity.index].declaration
    else { return nil }
    return AllowedValues(declaration, column: column.name)?.values
  }
}

package import DatastoreCore
package import Foundation

// Optional capabilities of an engine, with their defaults.

/// Writes by others: by default everything is read again whenever they are reported.
extension SQLStore {
  package func externalChanges() throws -> [ExternalChange] { [.anything] }

  package func listen(_ told: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)? { nil }

  package func haveTablesChanged() throws -> Bool { false }

  /// Correct if rows are always compared as if someone else wrote them, too.
  package func markShared() {}

  package func snapshot() throws -> (any StoreSnapshot)? { nil }

  package var snapshotRefusal: String {
    "No context can keep reading one state of this store; read what belongs together with one query."
  }
}

/// Descriptions for browsers: by default less is known of tables.
extension SQLStore {
  package var schemaDifferences: [String] { [] }

  package var isCoreData: Bool { false }

  package func storeUUID() throws -> String? { nil }

  package func migrationHistory() throws -> [MigrationRecord] { [] }

  package func indexes(of entity: Entity) throws -> [IndexInformation] { [] }

  package func tableDetails() throws -> ByEntity<TableDetails?> {
    ByEntity(repeating: nil, count: mapping.entities.count)
  }

  /// The cases of an enum.
  package func allowedValues(of slot: Slot, in entity: Entity) -> [Value]? {
    mapping.entities[entity.index].slots[slot].attributeColumn?.cases?.map { .text($0) }
  }

  /// Correct if errors name the columns.
  package func slots(ofCheck constraint: String, in entity: Entity) -> [Slot] { [] }
}

/// Maintenance of files; servers have tools of their own.
extension SQLStore {
  package var url: URL? { nil }

  package func backUp(to url: URL) throws {
    throw StoreError.unsupportedPredicate(
      "This store is copied by the tools of its database; nothing was copied.")
  }

  package func integrityFaults() throws -> [String] {
    throw StoreError.unsupportedPredicate("This store is checked by the tools of its database.")
  }

  /// Correct if committed data is where others read it.
  package func checkpoint() throws -> Bool { true }

  /// Correct if a store never assigns a key that a caller has specified.
  package func reserve(_ keys: [RowKey], entity: EntityIndex) throws {}

  package func addEntities(_ descriptions: [EntityDescription]) throws {
    throw StoreError.unsupportedPredicate("No tables are made in this store.")
  }

  package func removeEmptyEntities(_ names: [String]) throws {}

  package func indexReferencedColumns() throws {}
}

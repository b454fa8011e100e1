package import DatastoreCore
package import Foundation

// What an engine may leave out, and what is lost then.

/// What others do: everything is read again whenever they are shown.
extension SQLStore {
  package func externalChanges() throws -> [ExternalChange] { [.anything] }

  package func listen(_ told: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)? { nil }

  package func haveTablesChanged() throws -> Bool { false }

  /// Right where rows are always compared as if someone else wrote them, too.
  package func markShared() {}

  package func snapshot() throws -> (any StoreSnapshot)? { nil }

  package var snapshotRefusal: String {
    "No context can keep reading one state of this store; read what belongs together with one query."
  }
}

/// What a browser shows: less is said of tables.
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
    guard case .attribute(let column) = mapping.entities[entity.index].slots[slot] else {
      return nil
    }
    return column.cases?.map { .text($0) }
  }

  /// Right where errors name the columns.
  package func slots(ofCheck constraint: String, in entity: Entity) -> [Slot] { [] }
}

/// What is done for files: with a server by its own tools.
extension SQLStore {
  package var url: URL? { nil }

  package func backUp(to url: URL) throws {
    throw StoreError.unsupportedPredicate(
      "This store is copied by the tools of its database; nothing was copied.")
  }

  package func integrityFaults() throws -> [String] {
    throw StoreError.unsupportedPredicate("This store is checked by the tools of its database.")
  }

  /// Right where what is committed is where others read it.
  package func checkpoint() throws -> Bool { true }

  /// Right where a store never gives out a key that someone has asked for.
  package func reserve(_ keys: [RowKey], entity: EntityIndex) throws {}

  package func addEntities(_ descriptions: [EntityDescription]) throws {
    throw StoreError.unsupportedPredicate("No tables are made in this store.")
  }

  package func removeEmptyEntities(_ names: [String]) throws {}

  package func indexReferencedColumns() throws {}
}

package import DatastoreCore

extension ObjectContext {
  /// The slot of the attribute that is the key of the rows, such as the primary key of a third-party file;
  /// nil if no attribute shows the key.
  package func keySlot(of entity: Entity) -> Slot? {
    core.coordinator.store.keySlot(of: entity.index)
  }

  /// The column of the key of the rows, if no attribute shows it: in native tables.
  package func keyColumn(of entity: Entity) -> AnswerColumn? {
    core.coordinator.store.keyColumn(of: entity)
  }

  /// The columns that hold a property.
  package func storedColumns(of slot: Slot, in entity: Entity) -> [AnswerColumn] {
    core.coordinator.store.storedColumns(of: slot, in: entity)
  }

  /// The key of a reference that stores the values of several columns with a NULL among them, and so leads to
  /// no row; nil if the store cannot keep them. Only SQLite files keep what leads nowhere, and only beside
  /// keys that are rowids.
  package func partialKey(of values: [Value], in entity: Entity) -> RowKey? {
    let store = core.coordinator.store
    guard store.url != nil, store.information(about: entity).hasRowids else { return nil }
    return store.key(entity: entity.index, values: [.null] + values)
  }

  /// What the store says of its tables.
  package var describedStore: any DescribedStore { core.coordinator.store }

  /// The store's description of an entity.
  package func information(about entity: Entity) -> EntityInformation {
    core.coordinator.store.information(about: entity)
  }

  /// Creates an object of an entity with or without a compiled class, with its initial values.
  ///
  /// - Throws: `StoreError` when the store cannot give it a key.
  package func makeObject(of entity: Entity) throws -> DatastoreObject {
    try core.create(entity)
  }
}

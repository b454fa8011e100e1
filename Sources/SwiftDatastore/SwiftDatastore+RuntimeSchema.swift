package import DatastoreCore
import DatastoreSQLite
package import Foundation

extension SwiftDatastore {
  /// Opens or creates a store whose entities are known only at run time; its objects are
  /// `DynamicObject`s.
  ///
  /// - Throws: `StoreError` when the file cannot be opened or was made with another schema.
  package convenience init(schema: Schema, url: URL, options: Options = Options()) throws {
    let store = try SQLiteStore(schema, at: url, synchronous: options.synchronous)
    self.init(store: store, types: ModelTypes(dynamic: schema), url: url, options: options)
  }
}

extension ObjectContext {
  /// The slot of the attribute that is the key of the rows itself, as the primary key of a foreign
  /// file is; nil where no attribute shows the key.
  package func keySlot(of entity: Entity) -> Int? {
    core.coordinator.store.mapping.entities[entity.index].keySlot
  }

  /// A new object of an entity with or without a compiled class, with its initial values.
  ///
  /// - Throws: `StoreError` when the store cannot give it a key.
  package func makeObject(of entity: Entity) throws -> DatastoreObject {
    try core.create(entity)
  }
}

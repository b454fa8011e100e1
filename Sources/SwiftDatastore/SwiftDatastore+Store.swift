import DatastoreCore
package import DatastoreSQLite

/// What the file itself says, beyond what the schema holds.
extension SwiftDatastore {
  /// By entity: what the file calls it, and the indexes of its table. Any thread; reads the file.
  ///
  /// - Throws: `StoreError`.
  package func storedEntities() throws -> [(
    information: SQLiteStore.EntityInformation, indexes: [SQLiteStore.IndexInformation]
  )] {
    let store = coordinator.store
    return try store.schema.entities.map {
      (store.information(about: $0), try store.indexes(of: $0))
    }
  }
}

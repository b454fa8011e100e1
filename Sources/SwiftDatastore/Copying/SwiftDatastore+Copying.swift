import DatastoreCore

/// Moving to another store.
extension SwiftDatastore {
  /// Copies all saved objects into another store of the same model that has none: a file into a server when it has
  /// grown, or a server into a file. Any thread; waits until it is done.
  ///
  /// One state of this store is copied, while others go on saving. Objects keep their keys, so that a URI leads to the
  /// same object in either. Saves of other contexts of the destination wait meanwhile, and its contexts show the objects
  /// afterwards. O(objects); ten thousand are held at a time.
  ///
  /// - Parameter destination: another datastore, of the same classes. Where it throws, what was copied until then stays in
  ///   there: begin again with an empty store.
  /// - Returns: how many objects were copied.
  /// - Throws: `StoreError`, also where the destination has objects or another model; `CancellationError` when its task is
  ///   cancelled.
  @discardableResult
  public func copyObjects(into destination: SwiftDatastore) throws -> Int {
    let (source, target) = (coordinator.store, destination.coordinator.store)
    guard source.schema.isSame(as: target.schema) else {
      throw StoreError.unsupportedPredicate(
        "Objects are copied between stores of one model, and “\(destination.storeName)” has another one."
      )
    }
    let state = try source.snapshot()
    defer { state?.closeSnapshot() }
    return try destination.coordinator.write { store in
      for entity in store.schema.entities where entity.parent == nil {
        let one = FetchRequest(entity: entity.name, limit: 1)
        guard try store.fetchKeys(one).isEmpty else {
          throw StoreError.unsupportedPredicate(
            "Objects are copied into a store that has none, and “\(destination.storeName)” has some of "
              + "“\(entity.name)”.")
        }
      }
      var copy = StoreCopy(from: state ?? source, to: store)
      try copy.run()
      return (copy.copied, copy.count)
    }
  }
}

extension Schema {
  /// Whether stores of either have the same tables.
  fileprivate func isSame(as other: Schema) -> Bool {
    entities.map(\.description) == other.entities.map(\.description)
  }
}

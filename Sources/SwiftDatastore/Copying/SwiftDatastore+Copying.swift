import DatastoreCore

/// Moving to another store.
extension SwiftDatastore {
  /// Copies all saved objects into another store of the same model that has none: a file into a server when
  /// it has grown, or a server into a file. Any thread; waits until it is done.
  ///
  /// One state of this store is copied, while others go on saving. Objects keep their keys, so that a URI
  /// leads to the same object in either. Saves of other contexts of the destination wait meanwhile, and its
  /// contexts show the objects afterwards. O(objects); ten thousand are held at a time.
  ///
  /// - Parameter destination: another datastore, of the same classes. Where it throws, what was copied until
  ///   then stays in there: begin again with an empty store.
  /// - Returns: how many objects were copied.
  /// - Throws: `StoreError`, also where the destination has objects or another model; `CancellationError`
  ///   when its task is cancelled.
  @discardableResult
  public func copyObjects(into destination: SwiftDatastore) throws -> Int {
    try copyObjects(into: destination, leavingOutBroken: false, nil).count
  }

  /// The same with progress, also out of stores whose rows may break the rules of their model.
  ///
  /// - Parameters:
  ///   - leavesOutBroken: references that lead nowhere, and values whose files are gone, are left out; the
  ///     destination may want less of its objects than the model of this store does.
  ///   - progress: called with the number of objects that are copied, and that of all, on the thread that
  ///     copies.
  /// - Returns: how many objects were copied, and what was left out: sentences without their full stops.
  /// - Throws: as `copyObjects(into:)`.
  package func copyObjects(
    into destination: SwiftDatastore, leavingOutBroken leavesOutBroken: Bool,
    _ progress: (@Sendable (_ done: Int, _ total: Int) -> Void)?
  ) throws -> (count: Int, losses: [String]) {
    let (source, target) = (coordinator.store, destination.coordinator.store)
    guard source.schema.isSame(as: target.schema, byNames: leavesOutBroken) else {
      throw StoreError.unsupportedPredicate(
        "Objects are copied between stores of one model, and “\(destination.storeName)” has another one."
      )
    }
    let state = try source.snapshot()
    defer { state?.closeSnapshot() }
    let losses = Lock<[String]>([])
    let count = try destination.coordinator.write { store in
      for entity in store.schema.entities where entity.parent == nil {
        let one = FetchRequest(entity: entity.name, limit: 1)
        guard try store.fetchKeys(one).isEmpty else {
          throw StoreError.unsupportedPredicate(
            "Objects are copied into a store that has none, and “\(destination.storeName)” has some of "
              + "“\(entity.name)”.")
        }
      }
      var copy = StoreCopy(from: state ?? source, to: store)
      copy.leavesOutBroken = leavesOutBroken
      copy.progress = progress
      try copy.run()
      losses.withLock { [copy] in $0 = copy.losses.sentences(store.schema) }
      return (copy.copied, copy.count)
    }
    return (count, losses.withLock { $0 })
  }
}

extension Schema {
  /// Whether stores of either have the same tables.
  ///
  /// - Parameter byNames: whether it is enough that their properties have the same names.
  fileprivate func isSame(as other: Schema, byNames: Bool) -> Bool {
    if byNames {
      return entities.map { [$0.name] + $0.properties.map(\.name) }
        == other.entities.map { [$0.name] + $0.properties.map(\.name) }
    }
    return entities.map(\.description) == other.entities.map(\.description)
  }
}

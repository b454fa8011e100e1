import DatastoreCore

/// Copying to another store.
extension SwiftDatastore {
  /// Copies all saved objects into another, empty store of the same model: a file that has grown into a
  /// server, or a server into a file. Any thread; waits until it is done.
  ///
  /// Copies one state of this store, while others go on saving. Objects keep their keys, so a URI leads to
  /// the same object in both stores. Saves of other contexts of the destination wait meanwhile, and its
  /// contexts show the objects afterwards. O(objects); ten thousand are held in memory at a time.
  ///
  /// - Parameter destination: another datastore, of the same classes. If copying throws, the objects copied
  ///   so far stay in it: start again with an empty store.
  /// - Returns: the number of copied objects.
  /// - Throws: `StoreError`, also if the destination has objects or another model; `CancellationError` when
  ///   its task is cancelled.
  @discardableResult
  public func copyObjects(into destination: SwiftDatastore) throws -> Int {
    try copyObjects(into: destination, leavingOutBroken: false, nil).count
  }

  /// Copies all saved objects with progress, also from stores whose rows may break the rules of their model.
  ///
  /// - Parameters:
  ///   - leavesOutBroken: whether to leave out dangling references and values whose files are missing; the
  ///     destination's model may then require less of its objects than this store's model.
  ///   - progress: called with the number of copied objects, and the total, on the thread that copies.
  /// - Returns: the number of copied objects, and the data left out, as sentences without their full stops.
  /// - Throws: like `copyObjects(into:)`.
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
  /// Whether stores of both schemas have the same tables.
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

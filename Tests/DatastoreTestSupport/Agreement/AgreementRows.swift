package import DatastoreCore

/// All objects of a store in memory, read through a graph.
package struct AgreementRows {
  private let store: any ObjectStore
  private let graph: ObjectGraph
  /// By entity index.
  private let objects: ByEntity<[ManagedObject]>

  /// - Parameter fail: hears of values that could not be read.
  package init(
    _ store: any ObjectStore, failing fail: @escaping @Sendable (any Error) -> Void
  ) throws {
    self.store = store
    graph = ObjectGraph(
      store: store, makeObject: { ManagedObject(managedObject: $0) },
      faultFailed: fail)
    let graph = graph
    objects = ByEntity(
      try store.schema.entities.map { try graph.fetch(FetchRequest(entity: $0.name)) })
  }

  /// Every value of every row.
  package var values: [Value] {
    objects.joined().flatMap { object in
      object.entity.slots.filter { object.entity.properties[$0].attribute != nil }
        .map { object.value(at: $0) }
    }
  }

  package var keys: [RowKey] { objects.joined().map(\.key) }

  /// A sentence about a face of a request that disagrees; nil if all agree.
  package func disagreement(
    _ entity: Entity, _ predicate: Predicate, _ order: [SortDescriptor]
  ) throws -> String? {
    let found = try store.fetchKeys(
      FetchRequest(entity: entity.name, predicate: predicate, sortDescriptors: order))
    let expected = objects[entity.index].filter { predicate.admits($0) }
    guard Set(found) == Set(expected.map(\.key)), found.count == expected.count else {
      let part = try smallestDisagreement(entity, predicate)
      let sql = try store.fetchKeys(FetchRequest(entity: entity.name, predicate: part)).sorted()
      let memory = objects[entity.index].filter { part.admits($0) }.map(\.key).sorted()
      let odd = Set(sql).symmetricDifference(memory).min().map { describe(entity, $0) } ?? ""
      return "\(part)\n  SQL finds \(sql)\n  memory finds \(memory)\n  \(odd)\n  \(part.dumped)"
    }
    let sorted = expected.sorted { order.compare($0, $1) == .ascending }.map(\.key)
    // Keys of rows without a key are given out as they are read, so only the order shows.
    let isOrdered = zip(found, found.dropFirst()).allSatisfy { first, second in
      guard let a = object(entity, first), let b = object(entity, second) else { return false }
      return order.lazy.map { $0.compare(a, b) }.first { $0 != .same } != .descending
    }
    if entity.isReadOnly ? isOrdered : found == sorted { return nil }
    return "sorted by \(order)\n  SQL finds \(found)\n  memory finds \(sorted)"
  }

  private func object(_ entity: Entity, _ key: RowKey) -> ManagedObject? {
    objects[entity.index].first { $0.key == key }
  }

  private func describe(_ entity: Entity, _ key: RowKey) -> String {
    guard let object = object(entity, key) else { return "\(key) is not known" }
    return "\(key): "
      + entity.slots.map { "\(entity.properties[$0].name) \(object.value(at: $0))" }
      .joined(separator: ", ")
  }

  /// The first part of a tree on which both faces differ by itself.
  private func smallestDisagreement(_ entity: Entity, _ predicate: Predicate) throws -> Predicate {
    let parts: [Predicate] =
      switch predicate {
      case .and(let parts), .or(let parts): parts
      case .not(let part): [part]
      case .comparison, .constant: []
      }
    for part in parts {
      let found = try store.fetchKeys(FetchRequest(entity: entity.name, predicate: part))
      let expected = objects[entity.index].filter { part.admits($0) }.map(\.key)
      if Set(found) != Set(expected) { return try smallestDisagreement(entity, part) }
    }
    return predicate
  }
}

extension Predicate {
  fileprivate var dumped: String {
    var text = ""
    dump(self, to: &text)
    return text
  }
}

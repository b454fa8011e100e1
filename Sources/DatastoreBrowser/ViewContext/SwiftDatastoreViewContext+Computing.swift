import Basics
import DatastoreCore
import SwiftDatastore

/// Evaluating expressions for objects, with their unsaved changes.
extension SwiftDatastoreViewContext {
  /// The values of operands by the key of the object. Reads the objects with these keys.
  ///
  /// - Throws: like `values(of:_:entity:)`.
  func values(
    of operands: [Predicate.Operand], keys: [RowKey], entity: EntityIndex
  ) async throws -> [RowKey: [Value]] {
    try await values(of: operands, try await load(entity: entity, keys: keys), entity: entity)
  }

  /// The values of operands by the key of the object. Computed in SQL and off the main actor if no staged
  /// change affects them. Cancelling the task interrupts the query.
  ///
  /// - Throws: `StoreError` if the store cannot be read; `CancellationError`.
  func values(
    of operands: [Predicate.Operand], _ objects: [DynamicObject], entity index: EntityIndex
  ) async throws -> [RowKey: [Value]] {
    let schema = core.graph.schema
    let entity = schema.entities[index]
    var computed: [RowKey: [Value]] = [:]
    var staged = objects
    if !operands.allSatisfy(\.isOwn), hasIntegerKeys(objects, index), !isStaged(operands, entity) {
      staged = objects.filter { $0.isInserted || $0.hasChanges }
      let keys = objects.map(\.key)
      let request = FetchRequest(entity: entity.name, predicate: .hasKey(in: keys))
      for row in try await answer(ValuesQuestion(of: [[]] + operands.map(\.path), in: request)) {
        if let key = row.first?.key { computed[key] = Array(row.dropFirst()) }
      }
    }
    guard !staged.isEmpty else { return computed }
    try prefetch(operands, staged, entity, schema)
    defer { core.graph.forgetPrefetched() }
    for object in staged where !object.isGone {
      computed[object.key] = operands.map { $0.value(of: object) }
    }
    return computed
  }

  /// Whether SQL can find the rows by their keys.
  private func hasIntegerKeys(_ objects: [DynamicObject], _ entity: EntityIndex) -> Bool {
    guard let saved = objects.first(where: { !$0.isInserted }) else { return false }
    return keyValues(entity: entity, key: saved.key) == nil
  }

  /// Whether changes are staged for other objects that the operands depend on.
  private func isStaged(_ operands: [Predicate.Operand], _ entity: Entity) -> Bool {
    let graph = core.graph
    let changed = graph.insertedObjects + graph.updatedObjects + graph.deletedObjects
    guard !changed.isEmpty else { return false }
    let request = FetchRequest(
      entity: entity.name, sortDescriptors: operands.map { SortDescriptor($0) })
    let related = QueryDependencies(of: request, from: entity, in: graph.schema).related
    return changed.contains { related[$0.entity.index] != nil }
  }

  private func prefetch(
    _ operands: [Predicate.Operand], _ objects: [DynamicObject], _ entity: Entity, _ schema: Schema
  ) throws {
    for path in Set(operands.flatMap(\.keyPaths)) {
      var slots: [Slot] = []
      var owner = entity
      for name in entity.resolvingAliases(in: path, of: schema) {
        guard let slot = owner.slot(named: name), let link = owner.links[slot] else { break }
        slots.append(slot)
        owner = schema.entities[link.destination]
      }
      if !slots.isEmpty { try core.graph.prefetch(slots, from: objects) }
    }
  }
}

extension Predicate.Operand {
  /// Whether the operand depends only on the object's own row.
  var isOwn: Bool {
    switch self {
    case .value: true
    case .keyPath(let path):
      path.count < 2
        || path.count == 2 && path[1].begins(with: "@") && path[1] != PredicatePath.storedStep
    case .count, .aggregate, .list: false
    case .arithmetic(let left, _, let right): left.isOwn && right.isOwn
    case .function(_, let arguments): arguments.allSatisfy(\.isOwn)
    }
  }
}

extension Predicate {
  /// The condition that an object has one of these keys.
  static func hasKey(in keys: [RowKey]) -> Predicate {
    .comparison(Comparison(.keyPath([]), .in, .list(keys.map { .value(.key($0)) })))
  }
}

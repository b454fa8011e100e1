import DatastoreCore

extension SwiftDatastoreViewContext {
  /// Calls the closure after each change that was saved elsewhere or staged here, with the keys of the
  /// affected objects by entity index, until the observation is released. In a family of entities a key is
  /// reported for every entity that its object may be of.
  ///
  /// Observations and controllers are notified of a change in the order in which they were made.
  package func observeChanges(
    _ closure: @escaping @MainActor (ContextChange) -> Void
  ) -> ContextObservation {
    // An observer uses the context: from now on, saves of other contexts are merged into it.
    let observation = ContextObservation(core.graph.schema, closure)
    add(observation)
    return observation
  }
}

/// The objects affected by a change of a context.
package struct ContextChange: Sendable {
  package let keys: [EntityIndex: Set<RowKey>]
  /// Whether anything else may have changed as well, because someone wrote the store by other means.
  package let isEverything: Bool
}

/// A token that keeps an observation of a context alive.
@MainActor
package final class ContextObservation: ContextListener {
  private let schema: Schema
  private let closure: @MainActor (ContextChange) -> Void

  init(_ schema: Schema, _ closure: @escaping @MainActor (ContextChange) -> Void) {
    self.schema = schema
    self.closure = closure
  }

  func contextDidChange(_ changes: GraphChanges) {
    var keys: [EntityIndex: Set<RowKey>] = [:]
    for object in changes.objects { keys[object.entity.index, default: []].insert(object.key) }
    let merged = changes.merged
    for (entity, inserted) in merged.inserted { keys[entity, default: []].formUnion(inserted) }
    for (entity, deleted) in merged.deleted { keys[entity, default: []].formUnion(deleted) }
    for (entity, updated) in merged.updated { keys[entity, default: []].formUnion(updated.keys) }
    for (entity, rekeyed) in merged.rekeyed {
      keys[entity, default: []].formUnion(rekeyed.keys)
      keys[entity, default: []].formUnion(rekeyed.values)
    }
    // A change of a row by a relationship may know only an ancestor of its entity.
    for (entity, known) in keys where schema.entities[entity].isInFamily {
      let described = schema.entities[entity]
      for other in described.ancestors + described.members where other != entity {
        keys[other, default: []].formUnion(known)
      }
    }
    closure(ContextChange(keys: keys, isEverything: merged.isEverything))
  }
}

extension SwiftDatastoreViewContext {
  /// Calls the closure once for every save or batch operation of another context, for every write of another
  /// process, and for the changes staged here in one turn of the main queue, with their source.
  ///
  /// It runs on the main actor, after the controllers have applied the changes, for as long as the datastore
  /// exists.
  public func observeObjectChanges(_ closure: @escaping @MainActor (ContextChanges) -> Void) {
    // An observer uses the context: from now on, saves of other contexts are merged into it.
    _ = core
    changeObservers.add(closure)
  }

  /// Calls the closure until the token is released or cancelled.
  @_disfavoredOverload
  public func observeObjectChanges(
    _ closure: @escaping @MainActor (ContextChanges) -> Void
  ) -> ObserverToken {
    _ = core
    return changeObservers.addEnding(closure)
  }
}

import Foundation
import Synchronization

/// Several stores as one, each of which holds entities of its own.
///
/// Nothing is translated: each store is opened with the places that its entities have in the whole schema, so that keys,
/// rows and changes are what they are with one store. What is asked about an entity, is asked of the store that holds it;
/// stores may be added while contexts are at work.
///
/// A save that is about one store is that store's. One over several writes in all of them before it commits in the
/// first; see `CompositeStore+Saving.swift`.
package final class CompositeStore: StoreEngine, RoutingStore {
  /// A store that may be one of several.
  package typealias Member = StoreEngine & JointStore

  /// One store and what it holds.
  struct Part: Sendable {
    let store: any Member
    let entities: Set<EntityIndex>
    /// As errors name it.
    let name: String
  }

  /// In the order in which saves over several begin, the same in every process: stores in memory, then files by
  /// their paths. The last one is the first to be committed.
  private struct Parts: Sendable {
    var all: [Part] = []
    /// By entity, the place in `all`.
    var places: ByEntity<Int?>
  }

  package let schema: Schema
  private let state: Lock<Parts>
  private let isClosed = Atomic<Bool>(false)

  /// No stores; `add(_:holding:named:)` adds them.
  package init(_ schema: Schema) {
    self.schema = schema
    state = Lock(Parts(places: ByEntity(repeating: nil, count: schema.entities.count)))
  }

  /// Adds a store that holds those entities.
  ///
  /// - Throws: `StoreError.sharedEntities` when another one holds some of them, `StoreError.closed`.
  package func add(_ store: any Member, holding entities: [Entity], named name: String) throws {
    try state.withLock { state in
      if isClosed.load(ordering: .sequentiallyConsistent) { throw StoreError.closed(path: name) }
      try Self.requireDistinct(entities, named: name, from: state.all, places: state.places)
      let part = Part(store: store, entities: Set(entities.map(\.index)), name: name)
      state.all.append(part)
      state.all.sort { Self.order($0) < Self.order($1) }
      for (place, part) in state.all.enumerated() {
        for entity in part.entities { state.places[entity] = place }
      }
    }
  }

  /// Makes sure that a store of those entities can be added.
  ///
  /// - Throws: `StoreError.sharedEntities`.
  package func requireDistinct(_ entities: [Entity], named name: String) throws {
    try state.withLock {
      try Self.requireDistinct(entities, named: name, from: $0.all, places: $0.places)
    }
  }

  private static func requireDistinct(
    _ entities: [Entity], named name: String, from parts: [Part], places: ByEntity<Int?>
  ) throws {
    guard let other = entities.lazy.compactMap({ places[$0.index] }).first else { return }
    throw StoreError.sharedEntities(
      entities.filter { places[$0.index] == other }.map(\.name).sorted(), store: name,
      other: parts[other].name)
  }

  private static func order(_ part: Part) -> (Int, String) {
    (part.store.url == nil ? 0 : 1, part.store.url?.resolvingSymlinksInPath().path ?? part.name)
  }

  var all: [Part] { state.withLock { $0.all } }

  /// The store that holds an entity; nil where none does.
  func holder(of entity: EntityIndex) -> Part? {
    state.withLock { state in state.places[entity].map { state.all[$0] } }
  }

  /// - Throws: `StoreError.noStore`.
  func part(_ entity: EntityIndex) throws -> Part {
    guard let part = holder(of: entity) else { throw schema.noStore(of: entity) }
    return part
  }

  /// The only store, for what is done in one.
  ///
  /// - Parameter task: the beginning of a sentence.
  /// - Throws: `StoreError.notOneStore`.
  func only(_ task: String) throws -> any Member {
    let all = all
    guard all.count == 1 else { throw StoreError.notOneStore(task) }
    return all[0].store
  }

  package var parts: [any StoreEngine] { all.map(\.store) }

  package func part(holding entity: EntityIndex) throws -> any StoreEngine {
    try part(entity).store
  }

  func reader(of entity: EntityIndex) throws -> any ReadableStore { try part(entity).store }

  func onlyReader() throws -> any ReadableStore {
    try only("Reading what belongs to no entity, such as a statement in SQL,")
  }

  /// Closes all of them, whatever becomes of the others.
  ///
  /// - Throws: the first `StoreError`.
  package func close() throws {
    let all = state.withLock { state in
      isClosed.store(true, ordering: .sequentiallyConsistent)
      return state.all
    }
    var failure: (any Error)?
    for part in all {
      do { try part.store.close() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}

extension Schema {
  /// That no store holds an entity.
  func noStore(of entity: EntityIndex) -> StoreError {
    let name = entities[entity].name
    return .noStore(
      entity: name,
      configurations: configurations.filter { $0.value.contains(name) }.keys.sorted())
  }
}

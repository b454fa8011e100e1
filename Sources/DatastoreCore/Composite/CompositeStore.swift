import Foundation
import Synchronization

/// Several stores as one, each of which holds some entities.
///
/// An entity may be in several of them. Contexts know their rows by keys that contain the store (`KeyShift`),
/// and questions about such an entity are asked of all its stores (`SharedReader`). Other entities work as
/// with one store: each store is opened with the indices that its entities have in the whole schema, and
/// nothing is translated. Stores may be added while contexts are in use.
///
/// A save that concerns one store is passed to it. One to several writes in all of them before it commits in
/// the first; see `CompositeStore+Saving.swift`.
package final class CompositeStore: StoreEngine, RoutingStore {
  /// A store that may be one of several.
  package typealias Member = StoreEngine & JointStore

  /// One store and its entities.
  struct Part: Sendable {
    let store: any Member
    let entities: Set<EntityIndex>
    let description: StoreDescription
    let shift: KeyShift

    /// The name in error messages.
    var name: String { description.name }
  }

  private struct Parts: Sendable {
    /// In the order in which saves to several begin, the same in every process: stores in memory, then files
    /// by their paths. The last one is committed first.
    var all: [Part] = []
    /// By entity, the stores that hold it, in the order in which they were added.
    var holders: ByEntity<[Part]>
  }

  package let schema: Schema
  private let state: Lock<Parts>
  private let isClosed = Atomic<Bool>(false)

  /// Creates a store without parts; `add(_:holding:as:)` adds them.
  package init(_ schema: Schema) {
    self.schema = schema
    state = Lock(Parts(holders: ByEntity(repeating: [], count: schema.entities.count)))
  }

  /// Adds a store that holds the given entities, some of which others may hold, too.
  ///
  /// - Throws: `StoreError.closed`, `StoreError.tooManyStores`.
  package func add(
    _ store: any Member, holding entities: [Entity], as description: StoreDescription
  ) throws {
    try state.withLock { state in
      if isClosed.load(ordering: .sequentiallyConsistent) {
        throw StoreError.closed(path: description.name)
      }
      var ranks = ByEntity(repeating: 0, count: schema.entities.count)
      for entity in entities {
        ranks[entity.index] = state.holders[entity.index].count
        if ranks[entity.index] == KeyShift.mostStores {
          throw StoreError.tooManyStores(entity: entity.name, most: KeyShift.mostStores)
        }
      }
      let part = Part(
        store: store, entities: Set(entities.map(\.index)), description: description,
        shift: KeyShift(ranks: ranks, schema: schema))
      state.all.append(part)
      state.all.sort { Self.order($0) < Self.order($1) }
      for entity in entities { state.holders[entity.index].append(part) }
    }
  }

  private static func order(_ part: Part) -> (Int, String) {
    (
      part.store.url == nil ? 0 : 1,
      part.store.url?.resolvingSymlinksInPath().path ?? part.description.description
    )
  }

  var all: [Part] { state.withLock { $0.all } }

  /// The stores that hold an entity, in the order in which they were added.
  func holders(of entity: EntityIndex) -> [Part] { state.withLock { $0.holders[entity] } }

  /// The first store that holds an entity, for facts that are the same in all; nil if none does.
  func holder(of entity: EntityIndex) -> Part? { holders(of: entity).first }

  /// The store of a row.
  func holder(of entity: EntityIndex, key: RowKey) -> Part? {
    let holders = holders(of: entity)
    if holders.count < 2 { return holders.first }
    let rank = KeyShift.rank(of: key)
    return holders.indices.contains(rank) ? holders[rank] : nil
  }

  /// The only store that holds an entity.
  ///
  /// - Throws: `StoreError.noStore`, `StoreError.severalStores`.
  func part(_ entity: EntityIndex) throws -> Part {
    let holders = holders(of: entity)
    guard let part = holders.first else { throw schema.noStore(of: entity) }
    guard holders.count == 1 else {
      throw StoreError.severalStores(
        entity: schema.entities[entity].name, stores: holders.map(\.description.description))
    }
    return part
  }

  /// The only store, for operations on a single one.
  ///
  /// - Parameter task: the beginning of a sentence.
  /// - Throws: `StoreError.notOneStore`.
  func only(_ task: String) throws -> any Member {
    let all = all
    guard all.count == 1 else { throw StoreError.notOneStore(task) }
    return all[0].store
  }

  package var parts: [any StoreEngine] { all.map(\.store) }

  package func place(
    of entity: EntityIndex, key: RowKey
  ) throws -> (store: any StoreEngine, key: RowKey) {
    guard let part = holder(of: entity, key: key) else { throw schema.noStore(of: entity) }
    return (part.store, part.shift.own(key, of: entity))
  }

  package func places(of entity: EntityIndex) -> [StorePlace] {
    holders(of: entity).map { part in
      StorePlace(store: part.store) { part.shift.shared($0, of: entity) }
    }
  }

  func reader(of entity: EntityIndex) throws -> any ReadableStore {
    try sharedReader(of: entity, holders(of: entity)) { $0.store }
  }

  /// The store that reads the rows of an entity.
  ///
  /// - Parameter store: the reader of a store: the store itself, or a state of it.
  /// - Throws: `StoreError.noStore`.
  func sharedReader(
    of entity: EntityIndex, _ holders: [Part], _ store: (Part) -> any ReadableStore
  ) throws -> any ReadableStore {
    guard let first = holders.first else { throw schema.noStore(of: entity) }
    if holders.count == 1, !first.shift.changes(entity) { return store(first) }
    let all = all
    return SharedReader(
      schema,
      holders.map { part in
        SharedReader.Part(
          store: store(part), shift: part.shift,
          place: all.firstIndex { $0.store === part.store } ?? all.count)
      })
  }

  func onlyReader() throws -> any ReadableStore {
    try only("Reading what belongs to no entity, such as a statement in SQL,")
  }

  /// Closes all of them, even if closing some fails.
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
  /// The error that no store holds an entity.
  func noStore(of entity: EntityIndex) -> StoreError {
    let name = entities[entity].name
    return .noStore(
      entity: name,
      configurations: configurations.filter { $0.value.contains(name) }.keys.sorted())
  }
}

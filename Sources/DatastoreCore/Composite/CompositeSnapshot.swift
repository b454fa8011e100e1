import Basics

/// One state of each of several stores.
///
/// No save of this process falls between them, because saving is blocked while they are made. Saves of
/// another process to several stores may.
final class CompositeSnapshot: StoreSnapshot, RoutingStore {
  let schema: Schema
  private let store: CompositeStore
  private let parts: [(state: any StoreSnapshot, part: CompositeStore.Part)]

  init(
    _ store: CompositeStore, _ parts: [(state: any StoreSnapshot, part: CompositeStore.Part)]
  ) {
    schema = store.schema
    self.store = store
    self.parts = parts
  }

  func reader(of entity: EntityIndex) throws -> any ReadableStore {
    // Ranks follow the order in which stores were added, and a store added later is not in the state.
    let holders = store.holders(of: entity).filter { holder in
      parts.contains { $0.part.store === holder.store }
    }
    return try store.sharedReader(of: entity, holders) { holder in
      guard let state = parts.first(where: { $0.part.store === holder.store })?.state else {
        trap("only stores of the state are read")
      }
      return state
    }
  }

  func onlyReader() throws -> any ReadableStore {
    guard parts.count == 1 else {
      throw StoreError.notOneStore("Reading what belongs to no entity, such as a statement in SQL,")
    }
    return parts[0].state
  }

  func makeKey(entity: EntityIndex) throws -> RowKey { try store.makeKey(entity: entity) }

  func save(_ changes: ChangeSet) throws -> SaveResult {
    trap("a state of a store is only read")
  }

  func closeSnapshot() {
    for part in parts { part.state.closeSnapshot() }
  }
}

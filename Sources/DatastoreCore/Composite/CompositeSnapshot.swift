import Basics

/// One state of each of several stores.
///
/// Nothing that this process saves lies between them, since it is kept from saving while they are made. What another process
/// saves over several stores may.
final class CompositeSnapshot: StoreSnapshot, RoutingStore {
  let schema: Schema
  /// With the entities that each holds.
  private let parts: [(state: any StoreSnapshot, entities: Set<EntityIndex>)]

  init(_ schema: Schema, _ parts: [(state: any StoreSnapshot, entities: Set<EntityIndex>)]) {
    self.schema = schema
    self.parts = parts
  }

  func reader(of entity: EntityIndex) throws -> any ReadableStore {
    guard let part = parts.first(where: { $0.entities.contains(entity) }) else {
      throw schema.noStore(of: entity)
    }
    return part.state
  }

  func onlyReader() throws -> any ReadableStore {
    guard parts.count == 1 else {
      throw StoreError.notOneStore("Reading what belongs to no entity, such as a statement in SQL,")
    }
    return parts[0].state
  }

  func save(_ changes: ChangeSet) throws -> SaveResult {
    trap("a state of a store is only read")
  }

  func closeSnapshot() {
    for part in parts { part.state.closeSnapshot() }
  }
}

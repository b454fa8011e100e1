/// Objects of entities that others inherit from.
extension ObjectGraph {
  /// The objects of rows, in the order of the keys; unknown ones of an entity with descendants are read
  /// together.
  package func objects(entity: EntityIndex, keys: [RowKey]) -> [ManagedObject] {
    let described = schema.entities[entity]
    guard described.entityColumn != nil else { return keys.map { object(entity: entity, key: $0) } }
    let read = readUnknown(described, keys)
    return withExtendedLifetime(read) {
      keys.map { maps[entity][$0] ?? missing(described, key: $0) }
    }
  }

  /// The object of one packed row; nil if an object of another entity with staged changes has the key,
  /// because its row was deleted and another was created under the key: it stays until it is settled.
  func adopt(_ entity: Entity, _ page: RowPage, _ row: Int) -> ManagedObject? {
    let key = page.key(ofRow: row)
    let concrete = entity.index(ofRow: row, in: page)
    if let known = maps[concrete][key] {
      if known.entity.index == concrete {
        fill(known, page, row)
        return known
      }
      if known.isTracked { return nil }
      vanish(known, isLost: true)
      known.notify(SlotSet(known.entity.slots))
    }
    return register(
      ManagedObjectLogic(
        home: home(of: concrete), key: key, page: page, row: Int32(row),
        state: .clean))
  }

  func objectOfFamily(_ entity: Entity, key: RowKey) -> ManagedObject {
    readUnknown(entity, [key]).first ?? missing(entity, key: key)
  }

  private func readUnknown(_ entity: Entity, _ keys: [RowKey]) -> [ManagedObject] {
    let unknown = keys.filter { maps[entity.index][$0] == nil }
    if unknown.isEmpty { return [] }
    return objects(
      entity: entity.index,
      pages: reading { try store.rows(entity: entity.index, keys: unknown) })
  }

  /// A placeholder for an object that cannot be found. It is not registered: a later row under that key may
  /// be of another class.
  private func missing(_ entity: Entity, key: RowKey) -> ManagedObject {
    makeObject(
      ManagedObjectLogic(
        home: home(of: entity.index), key: key, page: nil, row: 0, state: .gone))
  }
}

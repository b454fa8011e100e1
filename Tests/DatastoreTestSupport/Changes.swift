package import DatastoreCore

/// Builds change sets by names, for any store.
package struct Changes {
  package let store: any ObjectStore
  package var set = ChangeSet()

  package init(_ store: any ObjectStore) {
    self.store = store
  }

  private mutating func index(of entity: EntityIndex) -> Int {
    if let index = set.entities.firstIndex(where: { $0.entity == entity }) { return index }
    set.entities.append(EntityChanges(entity: entity))
    return set.entities.count - 1
  }

  /// Adds a new row. To-one relationships have the key of their destination.
  @discardableResult
  package mutating func insert(_ name: String, key: RowKey? = nil, _ values: [String: Value]) throws
    -> RowKey
  {
    let entity = store.schema.known(name)
    let key = try key ?? store.makeKey(entity: entity.index)
    let page = Changes.page(entity, key, values)
    let index = index(of: entity.index)
    set.entities[index].inserted.append(page)
    return key
  }

  package mutating func update(
    _ name: String, _ key: RowKey, from: [String: Value], to: [String: Value],
    overwrites: Bool = false
  ) throws {
    let entity = store.schema.known(name)
    let stored = try store.row(name, key) ?? [:]
    var update = RowUpdate(
      key: key, page: Changes.page(entity, key, to), row: 0,
      original: Changes.page(entity, key, stored.merging(from) { _, from in from }), originalRow: 0,
      slots: SlotSet(to.keys.compactMap { entity.slot(named: $0) }))
    update.overwrites = overwrites
    let index = index(of: entity.index)
    set.entities[index].updated.append(update)
  }

  package mutating func delete(_ name: String, _ key: RowKey) throws {
    let entity = store.schema.known(name)
    let index = index(of: entity.index)
    set.entities[index].deleted.append(RowDeletion(key: key))
  }

  package mutating func link(
    _ name: String, _ relationship: String, _ source: RowKey, _ target: RowKey
  )
    throws
  {
    let entity = store.schema.known(name)
    var links = LinkChanges(
      entity: entity.index, slot: entity.known(relationship))
    links.added.append((source, target))
    set.links.append(links)
  }

  package mutating func order(
    _ name: String, _ relationship: String, _ key: RowKey, _ members: [RowKey]
  )
    throws
  {
    let entity = store.schema.known(name)
    set.orders.append(
      OrderChange(
        entity: entity.index, slot: entity.known(relationship), key: key,
        members: members))
  }

  @discardableResult
  package func save() throws -> SaveResult { try store.save(set) }

  package static func page(_ entity: Entity, _ key: RowKey, _ values: [String: Value]) -> RowPage {
    let page = RowPage(columnCount: entity.slotCount, rowCapacity: 1)
    page.appendRow(key: key)
    for (name, value) in values {
      guard let slot = entity.slot(named: name) else { preconditionFailure("no property \(name)") }
      page.setValue(value, row: 0, slot: slot)
    }
    page.seal()
    return page
  }
}

extension ObjectStore {
  /// Rows of a request by name, relationships as keys.
  package func values(_ request: FetchRequest, _ names: String...) throws -> [[Value]] {
    let entity = schema.known(request.entity)
    let slots = names.map { entity.known($0) }
    return try fetch(request).flatMap { page in
      (0..<page.rowCount).map { row in slots.map { page.value(row: row, slot: $0) } }
    }
  }

  package func names(_ entity: String, _ predicate: Predicate? = nil) throws -> [String] {
    try values(
      FetchRequest(
        entity: entity, predicate: predicate, sortDescriptors: [SortDescriptor(["name"])]),
      "name"
    ).map { if case .text(let name) = $0[0] { name } else { "\($0[0])" } }
  }

  package func related(_ entity: String, _ relationship: String, _ key: RowKey) throws -> [RowKey] {
    let entity = schema.known(entity)
    return try relatedKeys(
      entity: entity.index, slot: entity.known(relationship), key: key)
  }

  /// Rows of an entity by name.
  package func row(_ entity: String, _ key: RowKey) throws -> [String: Value]? {
    let entity = schema.known(entity)
    guard let page = try rows(entity: entity.index, keys: [key]).first else { return nil }
    return Dictionary(
      uniqueKeysWithValues: zip(entity.slots, entity.properties).map {
        ($1.name, page.value(row: 0, slot: $0))
      })
  }
}

extension Schema {
  fileprivate func known(_ name: String) -> Entity {
    guard let entity = entity(named: name) else { preconditionFailure("no entity \(name)") }
    return entity
  }
}

extension Entity {
  fileprivate func known(_ name: String) -> Slot {
    guard let slot = slot(named: name) else { preconditionFailure("no property \(name)") }
    return slot
  }
}

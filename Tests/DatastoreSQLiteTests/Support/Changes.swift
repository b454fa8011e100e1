import DatastoreCore
import DatastoreSQLite
import Testing

/// Builds change sets by names, for any store.
struct Changes {
  let store: SQLiteStore
  var set = ChangeSet()

  init(_ store: SQLiteStore) {
    self.store = store
  }

  private mutating func index(of entity: EntityIndex) -> Int {
    if let index = set.entities.firstIndex(where: { $0.entity == entity }) { return index }
    set.entities.append(EntityChanges(entity: entity))
    return set.entities.count - 1
  }

  /// Adds a new row. To-one relationships take the key of their destination.
  @discardableResult
  mutating func insert(_ name: String, key: RowKey? = nil, _ values: [String: Value]) throws
    -> RowKey
  {
    let entity = try #require(store.schema.entity(named: name))
    let key = try key ?? store.makeKey(entity: entity.index)
    let page = Changes.page(entity, key, values)
    let index = index(of: entity.index)
    set.entities[index].inserted.append(page)
    return key
  }

  mutating func update(
    _ name: String, _ key: RowKey, from: [String: Value], to: [String: Value],
    overwrites: Bool = false
  ) throws {
    let entity = try #require(store.schema.entity(named: name))
    let stored = try store.row(name, key) ?? [:]
    var update = RowUpdate(
      key: key, page: Changes.page(entity, key, to), row: 0,
      original: Changes.page(entity, key, stored.merging(from) { _, from in from }), originalRow: 0,
      slots: SlotSet(to.keys.compactMap { entity.slot(named: $0) }))
    update.overwrites = overwrites
    let index = index(of: entity.index)
    set.entities[index].updated.append(update)
  }

  mutating func delete(_ name: String, _ key: RowKey) throws {
    let entity = try #require(store.schema.entity(named: name))
    let index = index(of: entity.index)
    set.entities[index].deleted.append(RowDeletion(key: key))
  }

  mutating func link(_ name: String, _ relationship: String, _ source: RowKey, _ target: RowKey)
    throws
  {
    let entity = try #require(store.schema.entity(named: name))
    var links = LinkChanges(
      entity: entity.index, slot: try #require(entity.slot(named: relationship)))
    links.added.append((source, target))
    set.links.append(links)
  }

  mutating func order(_ name: String, _ relationship: String, _ key: RowKey, _ members: [RowKey])
    throws
  {
    let entity = try #require(store.schema.entity(named: name))
    set.orders.append(
      OrderChange(
        entity: entity.index, slot: try #require(entity.slot(named: relationship)), key: key,
        members: members))
  }

  @discardableResult
  func save() throws -> SaveResult { try store.save(set) }

  static func page(_ entity: Entity, _ key: RowKey, _ values: [String: Value]) -> RowPage {
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

extension SQLiteStore {
  /// Rows of a request by name, relationships as keys.
  func values(_ request: FetchRequest, _ names: String...) throws -> [[Value]] {
    let entity = try #require(schema.entity(named: request.entity))
    let slots = try names.map { try #require(entity.slot(named: $0)) }
    return try fetch(request).flatMap { page in
      (0..<page.rowCount).map { row in slots.map { page.value(row: row, slot: $0) } }
    }
  }

  func names(_ entity: String, _ predicate: Predicate? = nil) throws -> [String] {
    try values(
      FetchRequest(
        entity: entity, predicate: predicate, sortDescriptors: [SortDescriptor(["name"])]),
      "name"
    ).map { if case .text(let name) = $0[0] { name } else { "\($0[0])" } }
  }

  func related(_ entity: String, _ relationship: String, _ key: RowKey) throws -> [RowKey] {
    let entity = try #require(schema.entity(named: entity))
    return try relatedKeys(
      entity: entity.index, slot: try #require(entity.slot(named: relationship)), key: key)
  }

  /// Rows of an entity by name.
  func row(_ entity: String, _ key: RowKey) throws -> [String: Value]? {
    let entity = try #require(schema.entity(named: entity))
    guard let page = try rows(entity: entity.index, keys: [key]).first else { return nil }
    return Dictionary(
      uniqueKeysWithValues: zip(entity.slots, entity.properties).map {
        ($1.name, page.value(row: 0, slot: $0))
      })
  }
}

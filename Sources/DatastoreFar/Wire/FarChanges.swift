import DatastoreCore

/// A change set in a message. A page that several rows share is sent once.
struct FarChanges: Codable, Sendable {
  private struct Place: Codable, Sendable {
    let page: Int
    let row: Int
  }

  private struct Update: Codable, Sendable {
    let key: RowKey
    let new: Place
    let original: Place
    let slots: SlotSet
    let overwrites: Bool
    let isRowGone: Bool
  }

  private struct Deletion: Codable, Sendable {
    let key: RowKey
    let original: Place?
  }

  private struct Rows: Codable, Sendable {
    let entity: EntityIndex
    var inserted: [Int] = []
    var updated: [Update] = []
    var deleted: [Deletion] = []
  }

  private struct Links: Codable, Sendable {
    let entity: EntityIndex
    let slot: Slot
    let added: [[RowKey]]
    let removed: [[RowKey]]
  }

  private struct Referred: Codable, Sendable {
    let entity: EntityIndex
    let key: RowKey
    let original: Place
    let owner: EntityIndex
    let ownerKey: RowKey
  }

  private let pages: [FarPage]
  private let rows: [Rows]
  private let links: [Links]
  private let orders: [OrderChange]
  private let changed: Set<ChangedRelationship>
  private let referred: [Referred]
  private let placement: Int64?

  init(_ changes: ChangeSet) {
    var pages: [FarPage] = []
    var numbers: [ObjectIdentifier: Int] = [:]
    func number(_ page: RowPage) -> Int {
      if let known = numbers[ObjectIdentifier(page)] { return known }
      numbers[ObjectIdentifier(page)] = pages.count
      pages.append(FarPage(page))
      return pages.count - 1
    }
    // An original is one row of a page that may have hundreds of others, so it is sent alone.
    func original(_ page: RowPage, _ row: Int) -> Place {
      let own = FarRow(RowReference(page, row))
      return Place(page: number(own.page.page), row: own.row)
    }
    rows = changes.entities.map { entity in
      var rows = Rows(entity: entity.entity)
      rows.inserted = entity.inserted.map(number)
      rows.updated = entity.updated.map { update in
        Update(
          key: update.key, new: Place(page: number(update.page), row: update.row),
          original: original(update.original, update.originalRow), slots: update.slots,
          overwrites: update.overwrites, isRowGone: update.isRowGone)
      }
      rows.deleted = entity.deleted.map { deletion in
        Deletion(
          key: deletion.key,
          original: deletion.original.map { original($0, deletion.originalRow) })
      }
      return rows
    }
    links = changes.links.map { link in
      Links(
        entity: link.entity, slot: link.slot,
        added: link.added.map { [$0.source, $0.destination] },
        removed: link.removed.map { [$0.source, $0.destination] })
    }
    orders = changes.orders
    changed = changes.changedRelationships
    referred = changes.referred.map { row in
      Referred(
        entity: row.entity, key: row.key,
        original: original(row.original.page, row.original.row), owner: row.owner.entity,
        ownerKey: row.owner.key)
    }
    placement = changes.placement
    self.pages = pages
  }

  /// The change set.
  ///
  /// - Parameter schema: the schema that the changes must fit.
  /// - Throws: `FarLineFault` for anything that is not in the schema, or in no page.
  func changes(of schema: Schema) throws -> ChangeSet {
    var changes = ChangeSet()
    changes.entities = try rows.map { rows in
      let entity = try schema.entity(at: rows.entity)
      var own = EntityChanges(entity: rows.entity)
      own.inserted = try rows.inserted.map { try page($0, of: entity) }
      own.updated = try rows.updated.map { update in
        let (new, old) = (try row(update.new, of: entity), try row(update.original, of: entity))
        guard update.slots.allSatisfy({ entity.slots.contains($0) }) else { throw Self.fault }
        var result = RowUpdate(
          key: update.key, page: new.page, row: new.row, original: old.page, originalRow: old.row,
          slots: update.slots)
        result.overwrites = update.overwrites
        result.isRowGone = update.isRowGone
        return result
      }
      own.deleted = try rows.deleted.map { deletion in
        let original = try deletion.original.map { try row($0, of: entity) }
        return RowDeletion(
          key: deletion.key, original: original?.page, originalRow: original?.row ?? 0)
      }
      return own
    }
    changes.links = try links.map { link in
      _ = try schema.link(at: link.slot, of: link.entity)
      var own = LinkChanges(entity: link.entity, slot: link.slot)
      own.added = try link.added.map(Self.pair)
      own.removed = try link.removed.map(Self.pair)
      return own
    }
    for order in orders { _ = try schema.link(at: order.slot, of: order.entity) }
    changes.orders = orders
    for relationship in changed {
      _ = try schema.link(at: relationship.slot, of: relationship.entity)
    }
    changes.changedRelationships = changed
    changes.referred = try referred.map { referred in
      _ = try schema.entity(at: referred.owner)
      return ReferredRow(
        entity: referred.entity, key: referred.key,
        original: try row(referred.original, of: schema.entity(at: referred.entity)),
        owner: (referred.owner, referred.ownerKey))
    }
    changes.placement = placement
    return changes
  }

  private static let fault = FarLineFault("a change is of something that is not there")

  private static func pair(_ keys: [RowKey]) throws -> (source: RowKey, destination: RowKey) {
    guard keys.count == 2 else { throw fault }
    return (keys[0], keys[1])
  }

  private func page(_ number: Int, of entity: Entity) throws -> RowPage {
    guard pages.indices.contains(number), pages[number].page.columnCount >= entity.slots.count
    else { throw Self.fault }
    return pages[number].page
  }

  private func row(_ place: Place, of entity: Entity) throws -> RowReference {
    let page = try page(place.page, of: entity)
    guard place.row >= 0, place.row < page.rowCount else { throw Self.fault }
    return RowReference(page, place.row)
  }
}

extension Schema {
  /// - Throws: `FarLineFault` if it does not exist.
  func entity(at index: EntityIndex) throws -> Entity {
    guard entities.indices.contains(index.rawValue) else {
      throw FarLineFault("a message is about a table that is not there")
    }
    return entities[index]
  }

  /// - Throws: `FarLineFault` if it does not exist.
  func property(at slot: Slot, of index: EntityIndex) throws -> PropertyDescription {
    let entity = try entity(at: index)
    guard entity.slots.contains(slot) else {
      throw FarLineFault("a message is about a column that is not there")
    }
    return entity.properties[slot]
  }

  /// - Throws: `FarLineFault` if it does not exist.
  func link(at slot: Slot, of index: EntityIndex) throws -> RelationshipLink {
    _ = try property(at: slot, of: index)
    guard let link = entities[index].links[slot] else {
      throw FarLineFault("a message is about a relationship that is not there")
    }
    return link
  }
}

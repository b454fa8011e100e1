import Basics
import DatastoreCore

/// Copied rows, translated to the present mapping.
struct FormerRows {
  let copies: RowCopies
  private let mapping: SchemaMapping
  /// Whether keys still have the same numbers.
  private let hasSameNumbers: Bool

  init(_ copies: RowCopies, _ mapping: SchemaMapping) {
    self.copies = copies
    self.mapping = mapping
    hasSameNumbers = copies.mapping.keyTables === mapping.keyTables
  }

  /// The copied entity; nil if it did not exist.
  private func former(_ entity: EntityIndex) -> Entity? {
    hasSameNumbers
      ? mapping.schema.entities[entity]
      : copies.mapping.schema.entity(named: mapping.schema.entities[entity].name)
  }

  /// Whether the rows of an entity have the same kind of key as before.
  func hasKey(of entity: Entity) -> Bool {
    former(entity.index).map {
      copies.mapping.entities[$0.index].key == mapping.entities[entity.index].key
    } ?? false
  }

  /// The present number of a key.
  ///
  /// - Throws: `TooManyRows` if there is no room for more keys.
  func key(_ key: RowKey, _ entity: EntityIndex) throws(TooManyRows) -> RowKey {
    if hasSameNumbers { return key }
    if DanglingKey.isOne(key) {
      guard let values = copies.mapping.keyTables.dangling.values(of: key) else { return key }
      return try mapping.keyTables.dangling.number(of: values)
    }
    guard let former = former(entity),
      let values = copies.mapping.keyTables.table(entity: Int64(former.index.rawValue))?
        .values(of: key),
      let table = mapping.keyTables.table(entity: Int64(entity.rawValue))
    else { return key }
    return try table.number(of: values)
  }

  /// The rows of an entity by their present keys.
  ///
  /// - Throws: `TooManyRows`. O(rows).
  func rows(_ pages: [RowPage], of entity: Entity) throws(TooManyRows) -> [RowKey: RowReference] {
    var rows: [RowKey: RowReference] = [:]
    rows.reserveCapacity(pages.reduce(0) { $0 + $1.rowCount })
    for page in pages {
      for row in 0..<page.rowCount {
        rows[try key(page.key(ofRow: row), entity.index)] = RowReference(page, row)
      }
    }
    return rows
  }

  private func formerEntity(of row: RowReference, _ entity: Entity) -> Entity? {
    former(entity.index).map {
      copies.mapping.schema.entities[$0.index(ofRow: row.row, in: row.page)]
    }
  }

  /// The entity of a row; that of a former one if it still exists.
  private func entity(of old: RowReference?, _ new: RowReference?, _ entity: Entity) -> Entity {
    if let new { return mapping.schema.entities[entity.index(ofRow: new.row, in: new.page)] }
    let former = old.flatMap { formerEntity(of: $0, entity) }
    return former.flatMap { mapping.schema.entity(named: $0.name) } ?? entity
  }

  /// The slots that are stored in a row itself and not computed by the database.
  private func stored(_ entity: Entity) -> some Sequence<Slot> {
    // Lazy, because it is called for each compared row.
    entity.slots.lazy.filter {
      switch mapping.entities[entity.index].slots[$0] {
      case .attribute(let column): !column.isGenerated
      case .toOne: true
      case .toManyForeignKey, .toManyJoin: false
      }
    }
  }

  /// The former value of a slot of an entity; NULL if the row had no such property.
  private func value(_ row: RowReference, _ former: Entity?, _ entity: Entity, _ slot: Slot) throws
    -> Value
  {
    guard let former,
      let place = former.index == entity.index && hasSameNumbers
        ? slot : former.slot(named: entity.properties[slot].name)
    else { return .null }
    let value = row.page.value(row: row.row, slot: place)
    guard let link = entity.links[slot], let key = value.key else { return value }
    return .key(try self.key(key, link.destination))
  }

  func isChanged(_ old: RowReference, _ new: RowReference, of entity: Entity) throws -> Bool {
    let now = self.entity(of: old, new, entity)
    let former = formerEntity(of: old, entity)
    let isSameEntity = hasSameNumbers && former?.index == now.index
    return try stored(now).contains { slot in
      if isSameEntity {
        return !new.page.isSameCell(row: new.row, as: old.page, row: old.row, slot: slot)
      }
      return try value(old, former, now, slot) != new.page.value(row: new.row, slot: slot)
    }
  }

  /// The changes of a row as an object: for a new or deleted one all values that are not NULL.
  func object(
    of entity: Entity, old: RowReference?, new: RowReference?
  ) throws -> StagedObject {
    guard let row = new ?? old else { trap("a row was, or is there") }
    // A row may have changed to another entity of the family; the present one counts.
    let now = self.entity(of: old, new, entity)
    let former = old.flatMap { formerEntity(of: $0, entity) }
    func formerly(_ slot: Slot) throws -> Value {
      try old.map { try value($0, former, now, slot) } ?? .null
    }
    let changes = try stored(now).compactMap { slot -> StagedObject.Change? in
      let change = StagedObject.Change(
        slot: slot, old: try formerly(slot),
        new: new.map { $0.page.value(row: $0.row, slot: slot) } ?? .null)
      return change.old == change.new ? nil : change
    }
    return StagedObject(
      entity: now.index, key: try new?.key ?? key(row.key, now.index),
      kind: old == nil ? .inserted : new == nil ? .deleted : .updated, changes: changes,
      members: [], row: old == nil ? [] : BySlot(try now.slots.map(formerly)))
  }
}

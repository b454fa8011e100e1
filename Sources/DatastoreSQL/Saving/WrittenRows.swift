package import DatastoreCore

/// The changes made by rows that are written into a table, without holding them: the changed values of stored
/// rows, the new rows, and the relationships that gain or lose members.
package struct WrittenRows {
  private let entity: Entity
  /// Whether an attribute identifies the rows; otherwise every row is new.
  private let hasKeys: Bool
  package private(set) var insertedCount = 0
  private var updates: [RowUpdate] = []
  private var updatedCount = 0
  private var changed = MergedKeys()
  private var insertedKeys: [RowKey] = []
  /// Rows written so far; only if rows are identified.
  private var written = RowKeySet()

  /// The number of new or changed rows that are reported individually; beyond it, any row is reported as
  /// changed, so that memory does not grow with the rows.
  private static let reportedRows = 100_000

  package init(of entity: Entity, hasKeys: Bool) {
    self.entity = entity
    self.hasKeys = hasKeys
  }

  /// Whether a row was written before.
  package func contains(_ key: RowKey) -> Bool { written.contains(key) }

  /// Records the differences between a row of a batch and the stored one. Cells are compared by their bytes,
  /// which avoids creating values for texts and blobs.
  ///
  /// - Parameter isWriting: whether the row counts as written; false if it is only updated.
  package mutating func compare(
    _ rows: RowBatch, _ row: Int, with stored: RowReference, isWriting: Bool
  ) {
    let key = stored.key
    if isWriting { written.insert(key) }
    var different = SlotSet()
    for slot in rows.given[row]
    where !rows.page.isSameCell(row: row, as: stored.page, row: stored.row, slot: slot) {
      different.insert(slot)
      guard let link = entity.links[slot] else { continue }
      recordOwner(rows.page.value(row: row, slot: slot), link)
      recordOwner(stored.page.value(row: stored.row, slot: slot), link)
    }
    if different.isEmpty { return }
    var update = RowUpdate(
      key: key, page: rows.page, row: row, original: stored.page, originalRow: stored.row,
      slots: different)
    // The row was read in this transaction: no one else can write it before the end.
    update.overwrites = true
    updates.append(update)
  }

  /// Takes the updates to make.
  package mutating func takeUpdates() -> [RowUpdate] {
    defer { updates = [] }
    updatedCount += updates.count
    if updatedCount > Self.reportedRows {
      changed.updated[entity.index] = nil
      changed.isEverything = true
    } else {
      for update in updates {
        changed.updated[entity.index, default: [:]][update.key, default: SlotSet()]
          .formUnion(update.slots)
      }
    }
    return updates
  }

  /// Records new rows.
  ///
  /// - Parameter rekeyed: their present keys, if these differ from those in the page.
  package mutating func record(inserted page: RowPage, rekeyed: [RowKey: RowKey] = [:]) {
    for row in 0..<page.rowCount {
      if changed.isEverything, !hasKeys { break }
      let made = page.key(ofRow: row)
      let key = rekeyed.isEmpty ? made : rekeyed[made] ?? made
      if hasKeys { written.insert(key) }
      if !changed.isEverything { insertedKeys.append(key) }
    }
    insertedCount += page.rowCount
    recordOwners(of: page)
    if insertedKeys.count > Self.reportedRows {
      insertedKeys = []
      changed.isEverything = true
    }
  }

  /// Records the object whose to-many relationship has gained or lost a row, if the value leads to one.
  private mutating func recordOwner(_ value: Value, _ link: RelationshipLink) {
    guard let key = value.key, let inverse = link.inverseSlot else { return }
    changed.updated[link.destination, default: [:]][key, default: SlotSet()].insert(inverse)
  }

  /// Records the objects whose to-many relationships have gained rows of a page.
  private mutating func recordOwners(of page: RowPage) {
    for slot in entity.relationshipSlots {
      guard let link = entity.links[slot], link.kind == .toOne, let inverse = link.inverseSlot
      else { continue }
      for row in 0..<page.rowCount where page.tag(row: row, slot: slot) == .integer {
        changed.updated[link.destination, default: [:]][
          page.key(row: row, slot: slot), default: SlotSet()
        ].insert(inverse)
      }
    }
  }

  /// Everything recorded.
  package var changes: MergedKeys {
    var changes = changed
    if !insertedKeys.isEmpty, !changes.isEverything {
      changes.inserted[entity.index] = insertedKeys
    }
    return changes
  }
}

/// A row written by a save.
package struct SavedRow: Hashable, Sendable {
  package let entity: EntityIndex
  package let key: RowKey

  package init(entity: EntityIndex, key: RowKey) {
    self.entity = entity
    self.key = key
  }
}

extension SchemaMapping {
  /// The relationships of an entity whose members a database deletes or changes itself with a deleted row
  /// (`ON DELETE CASCADE`, `SET NULL`), and the members that a save knows of.
  package func knownMembers(
    of entity: EntityIndex, in changes: ChangeSet
  ) -> [(link: RelationshipLink, inverse: Slot, known: [RowKey])] {
    let leaving = schema.deleteRules(of: entity).leaving
    return schema.entities[entity].links.compactMap { link in
      guard let link, leaving.contains(link),
        case .toManyForeignKey(let inverse, _) = entities[entity].slots[link.slot]
      else { return nil }
      let members = changes.entities.filter { $0.entity == link.destination }.flatMap { change in
        change.deleted.map(\.key)
          + change.updated.filter { $0.slots.contains(inverse) }.map(\.key)
      }
      return (link, inverse, members)
    }
  }
}

extension SchemaMapping {
  /// Whether the database gives references their defaults (`ON DELETE SET DEFAULT`) when a save
  /// deletes the rows that they lead to: in rows that the save does not know of.
  package func setsDefaults(in changes: ChangeSet) -> Bool {
    changes.entities.contains { !$0.deleted.isEmpty && setsDefaults(deleting: $0.entity) }
  }

  /// Whether it does so for references to rows of an entity's family. In native tables they stay
  /// as they are.
  package func setsDefaults(deleting entity: EntityIndex) -> Bool {
    !isNative && !schema.deleteRules(of: entity).keeping.isEmpty
  }
}

/// A set of keys with one bit for each if they are close together, like those of rows written one after
/// another: a million of them take 200 KB.
package struct RowKeySet: Sendable {
  /// By the upper bits of the keys: the members among 512 keys.
  private var blocks: [Int64: SIMD8<UInt64>] = [:]

  package init() {}

  /// Adds a key; returns false if it is already a member.
  @discardableResult
  package mutating func insert(_ key: RowKey) -> Bool {
    let number = key.rawValue
    let word = Int(number >> 6 & 7)
    let bit: UInt64 = 1 << UInt64(number & 63)
    var isNew = false
    // In a single look-up.
    func set(_ block: inout SIMD8<UInt64>) {
      isNew = block[word] & bit == 0
      block[word] |= bit
    }
    set(&blocks[number >> 9, default: SIMD8()])
    return isNew
  }

  package func contains(_ key: RowKey) -> Bool {
    let number = key.rawValue
    guard let block = blocks[number >> 9] else { return false }
    return block[Int(number >> 6 & 7)] & 1 << UInt64(number & 63) != 0
  }
}

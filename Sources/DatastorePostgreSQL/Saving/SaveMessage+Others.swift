#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Saving to third-party tables, whose constraints may be checked with each statement.
extension SaveMessage {
  /// Writes so that every referenced row exists: before references to it are written, and until they are
  /// removed.
  ///
  /// The order: comparisons, removed links, updates, deletions from the ends of references backwards,
  /// insertions from their beginnings, updates that lead to new rows, deletions of the rows that those have
  /// led to, added links. Deletions come before insertions, so that a new row can have the unique value of a
  /// deleted one. References in a circle are written as NULL first, and then again.
  mutating func writeToOthers() throws {
    add("SET CONSTRAINTS ALL DEFERRED")
    for change in changes.entities { try compare(change.entity, change.deleted) }
    for links in changes.links { try remove(links) }
    let inserted = insertedKeys()
    var lateTargets: Set<SavedRow> = []
    var late: [(EntityIndex, [RowUpdate])] = []
    for change in changes.entities {
      var early: [RowUpdate] = []
      var later: [RowUpdate] = []
      for update in change.updated {
        let slots = update.slots.filter { slot in
          leads(update.page, update.row, slot, of: change.entity, to: inserted)
        }
        if slots.isEmpty { early.append(update) } else { later.append(update) }
        for slot in slots {
          if let target = target(update.original, update.originalRow, slot, of: change.entity) {
            lateTargets.insert(target)
          }
        }
      }
      try refuseKeyChange(change)
      try update(change.entity, early)
      if !later.isEmpty { late.append((change.entity, later)) }
    }
    let order = mapping.insertionOrder(changes.entities)
    for change in order.reversed() {
      try deleteUnlessReferred(change) { !lateTargets.contains($0) }
    }
    try insert(order, inserted, &late)
    for (entity, updates) in late { try update(entity, updates) }
    if !lateTargets.isEmpty {
      for change in order.reversed() {
        try deleteUnlessReferred(change) { lateTargets.contains($0) }
      }
    }
    for links in changes.links { try add(links) }
  }

  private mutating func deleteUnlessReferred(
    _ change: EntityChanges, where isIncluded: (SavedRow) -> Bool
  ) throws {
    let root = mapping.schema.entities[change.entity].root
    let deleted = change.deleted.filter { isIncluded(SavedRow(entity: root, key: $0.key)) }
    if deleted.isEmpty { return }
    try assertNoOthers(change.entity, deleted)
    try delete(change.entity, deleted)
  }

  /// Inserts new rows, after those that they lead to; references to later rows are written once these exist.
  private mutating func insert(
    _ order: [EntityChanges], _ inserted: [EntityIndex: Set<RowKey>],
    _ late: inout [(EntityIndex, [RowUpdate])]
  ) throws {
    var isDone: Set<EntityIndex> = []
    for change in order where !change.inserted.isEmpty {
      let slots = mapping.entities[change.entity].slots.placed.compactMap {
        slot, place -> (Slot, EntityIndex)? in
        guard case .toOne(let foreign) = place, foreign.isWritable,
          inserted[foreign.destination] != nil, !isDone.contains(foreign.destination)
        else { return nil }
        // Within one statement references are checked when it ends; the value of another column has to be
        // read before.
        if foreign.destination == change.entity, case .columns = foreign.reference {
          return (slot, foreign.destination)
        }
        return foreign.destination == change.entity ? nil : (slot, foreign.destination)
      }
      let destinations = Dictionary(uniqueKeysWithValues: slots)
      try insert(change) { slot, key in
        destinations[slot].map { inserted[$0]?.contains(key) ?? false } ?? false
      }
      isDone.insert(change.entity)
      if slots.isEmpty { continue }
      var updates: [RowUpdate] = []
      for page in change.inserted {
        for row in 0..<page.rowCount {
          let left = slots.filter { slot, destination in
            page.tag(row: row, slot: slot) == .integer
              && inserted[destination]?.contains(page.key(row: row, slot: slot)) ?? false
          }
          if left.isEmpty { continue }
          var update = RowUpdate(
            key: page.key(ofRow: row), page: page, row: row, original: page, originalRow: row,
            slots: SlotSet(left.map(\.0)))
          update.overwrites = true
          updates.append(update)
        }
      }
      if !updates.isEmpty { late.append((change.entity, updates)) }
    }
  }

  private func insertedKeys() -> [EntityIndex: Set<RowKey>] {
    var keys: [EntityIndex: Set<RowKey>] = [:]
    for change in changes.entities where !change.inserted.isEmpty {
      for page in change.inserted {
        keys[change.entity, default: []].formUnion((0..<page.rowCount).map { page.key(ofRow: $0) })
      }
    }
    return keys
  }

  private func leads(
    _ page: RowPage, _ row: Int, _ slot: Slot, of entity: EntityIndex,
    to inserted: [EntityIndex: Set<RowKey>]
  ) -> Bool {
    guard !inserted.isEmpty, let target = target(page, row, slot, of: entity) else { return false }
    return inserted[target.entity]?.contains(target.key) ?? false
  }

  /// The row that a cell leads to.
  private func target(
    _ page: RowPage, _ row: Int, _ slot: Slot, of entity: EntityIndex
  ) -> SavedRow? {
    guard case .toOne(let foreign) = mapping.entities[entity].slots[slot],
      page.tag(row: row, slot: slot) == .integer
    else { return nil }
    return SavedRow(entity: foreign.destination, key: page.key(row: row, slot: slot))
  }

  /// A row keeps its key: everything that refers to the row does so by its key, in this process and in
  /// others.
  private func refuseKeyChange(_ change: EntityChanges) throws {
    let mapped = mapping.entities[change.entity]
    for update in change.updated {
      for slot in update.slots where mapped.isKeyPart(slot: slot) {
        let described = mapping.schema.entities[change.entity]
        throw StoreError.keyChanged(
          entity: described.name, property: described.properties[slot].name, key: update.key)
      }
    }
  }

  /// Ensures that the server deletes or changes no row by itself (`ON DELETE CASCADE`, `SET NULL`) that the
  /// save does not know of: such a row was added, or came to refer to the deleted one, after the deletion was
  /// staged.
  private mutating func assertNoOthers(_ entity: EntityIndex, _ deleted: [RowDeletion]) throws {
    for (link, inverse, known) in mapping.knownMembers(of: entity, in: changes) {
      guard case .toOne(let foreign) = mapping.entities[link.destination].slots[inverse] else {
        continue
      }
      let key = SaveKey(mapping, entity)
      let memberKey = SaveKey(mapping, link.destination)
      let owner = QueryBuilder(mapping).matches(
        entity, "owner", foreign.reference, foreign.names.map { "stored.\(name: $0)" })
      let count = key.columns.count
      let knownNames = SQLFragment(
        stringLiteral: memberKey.columns.indices.map { "$\(count + $0 + 1)" }
          .joined(separator: ", "))
      let others: SQLFragment = """
        FROM \(table(link.destination)) AS stored JOIN \(table(entity)) AS owner ON \(owner) \
        JOIN unnest(\(parameters(count))) WITH ORDINALITY AS given (\(key.names), place) \
        ON \(key.isRow("owner", of: "given"))\(key.andIsListed("owner")) \
        WHERE NOT EXISTS (SELECT FROM unnest(\(knownNames)) \
        AS known (\(memberKey.names("m"))) WHERE \(memberKey.isRow("stored", of: "known", "m")))
        """
      for portion in deleted.portions(of: Self.portion) {
        var keys = key.makeArrays(capacity: portion.count)
        var members = memberKey.makeArrays(capacity: known.count)
        for deletion in portion { try append(deletion.key, of: entity, by: key, to: &keys) }
        for member in known {
          try append(member, of: link.destination, by: memberKey, to: &members)
        }
        let given = (keys + members).map(\.parameter)
        let counting = statement(
          "SELECT given.place, count(*) \(others) GROUP BY 1 ORDER BY 1 LIMIT 1", given)
        add(
          "SELECT 1 / (CASE WHEN count(*) > 0 THEN 0 ELSE 1 END) \(others)", given, entity,
          asserting: .noOthers(link.slot, counting: counting, portion.map(\.key)))
      }
    }
  }
}
#endif

package import DatastoreCore
import GRDB

extension SQLiteStore {
  /// Inserts rows that are made one by one, in one transaction and without holding them all.
  ///
  /// - Parameters:
  ///   - fill: makes the next row: `true` when it has set values of the row of the page it was given,
  ///     whose cells are NULL; `false` at the end. Must not use the store.
  /// - Returns: the keys of the new rows, and the rows whose relationships lead to them now.
  /// - Throws: what `fill` throws, or `StoreError`; nothing is written then.
  package func insertRows(
    entity: Int, _ fill: (RowPage, Int) throws -> Bool
  ) throws -> MergedKeys {
    try requireWritable(entity)
    // Reads the store, if it is the first key that is asked for: not possible inside a transaction.
    var nextKey = try makeKey(entity: entity)
    return try batchTransaction { database, _ in
      var changed = MergedKeys()
      var keys: [Int64] = []
      var pages = RowReader.Pages(
        slotCount: schema.entities[entity].slotCount, expecting: RowPage.fullCount)
      while true {
        let page = pages.nextUnchecked()
        let row = page.appendRow(key: nextKey)
        guard try fill(page, row) else {
          page.removeLastRow()
          break
        }
        nextKey = try makeKey(entity: entity)
        if pages.fullCount == Self.insertedPages {
          try insert(pages.takeFull(), entity, &keys, &changed, database)
        }
      }
      try insert(pages.finish(), entity, &keys, &changed, database)
      try RelationshipCounts(store: self, database: database).validate(changed)
      if !keys.isEmpty { changed.inserted[entity] = keys }
      return (changed, keys.count)
    }.0
  }

  /// - Throws: `ValidationError` for whole numbers that SQLite would round.
  func requireStorable(_ page: RowPage, _ entity: Int) throws {
    let described = schema.entities[entity]
    var faults: [ValidationError.Fault] = []
    for slot in described.unsigned64Slots {
      for row in 0..<page.rowCount where page.tag(row: row, slot: slot) == .text {
        faults.append(
          ValidationError.Fault(
            entity: described.name, key: page.key(ofRow: row),
            property: described.properties[slot].name,
            reason: .tooGreat(value: page.text(row: row, slot: slot))))
      }
    }
    if !faults.isEmpty { throw ValidationError(faults: faults) }
  }

  /// Pages that are written at once, so that what is done before the first row does not count.
  private static var insertedPages: Int { 32 }

  private func insert(
    _ pages: [RowPage], _ entity: Int, _ keys: inout [Int64], _ changed: inout MergedKeys,
    _ database: Database
  ) throws {
    if pages.isEmpty { return }
    for page in pages { try requireStorable(page, entity) }
    var set = ChangeSet()
    var changes = EntityChanges(entity: entity)
    changes.inserted = pages
    set.entities = [changes]
    let rekeyed =
      try SaveTransaction(self, set, database).run().rekeyed[
        schema.entities[entity].root] ?? [:]
    for page in pages {
      for row in 0..<page.rowCount {
        let key = page.key(ofRow: row)
        keys.append(rekeyed.isEmpty ? key : rekeyed[key] ?? key)
      }
      noteOwners(of: page, entity, &changed)
    }
  }

  /// The objects whose to-many relationships have gained rows of a page.
  private func noteOwners(of page: RowPage, _ entity: Int, _ changed: inout MergedKeys) {
    for slot in schema.entities[entity].relationshipSlots {
      guard let link = schema.entities[entity].links[slot], link.kind == .toOne,
        let inverse = link.inverseSlot
      else { continue }
      for row in 0..<page.rowCount where page.tag(row: row, slot: slot) == .integer {
        changed.updated[link.destination, default: [:]][
          page.integer(row: row, slot: slot), default: SlotSet()
        ].insert(inverse)
      }
    }
  }
}

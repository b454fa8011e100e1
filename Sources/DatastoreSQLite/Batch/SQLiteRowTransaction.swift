package import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Rows on their way into a table inside one transaction, without holding all of them.
///
/// New rows are added one by one. Rows that have a key are written batch by batch: those that are there get
/// new values, the others are inserted. Writes attributes, and the relationships of new rows to one object.
final class SQLiteRowTransaction: RowTransaction {
  private let store: SQLiteStore
  private let database: Database
  private let entity: Entity
  /// The attribute by which rows are distinguished; nil where each is new.
  private let keySlot: Slot?
  private var nextKey: RowKey
  private var pages: RowReader.Pages
  private var updates: [RowUpdate] = []
  private var changed = MergedKeys()
  private var keys: [RowKey] = []
  private var updatedCount = 0
  private var insertedCount = 0
  /// Keys that have come so far, in a table of SQLite's that memory does not grow with.
  private let seen: RawStatement?

  /// Pages that are written at once, so that what is done before the first row does not count.
  private static let pageCount = 32
  /// New rows, or changed ones, that are reported one by one; beyond them, that anything may have changed, so
  /// that memory does not grow with the rows.
  private static let reportedRows = 100_000

  fileprivate init(
    _ store: SQLiteStore, _ database: Database, _ entity: EntityIndex, key slot: Slot?,
    firstKey: RowKey
  ) throws {
    self.store = store
    self.database = database
    self.entity = store.schema.entities[entity]
    keySlot = slot
    nextKey = firstKey
    pages = RowReader.Pages(
      columnCount: self.entity.slotCount, expecting: slot == nil ? RowPage.fullCount : 1)
    guard slot != nil else {
      seen = nil
      return
    }
    try database.execute(sql: "DROP TABLE IF EXISTS temp._datastore_seen")
    try database.execute(
      sql: "CREATE TEMP TABLE _datastore_seen (value PRIMARY KEY) WITHOUT ROWID")
    seen = try RawStatement(
      "INSERT OR IGNORE INTO temp._datastore_seen VALUES (?)", in: database)
  }

  func insertAll(_ fill: (RowPage, Int) throws -> Bool) throws {
    while try insert(fill) {}
  }

  /// Adds a new row, unless `fill` says that there is to be none.
  private func insert(_ fill: (RowPage, Int) throws -> Bool) throws -> Bool {
    let page = pages.nextUnchecked()
    let row = page.appendRow(key: nextKey)
    guard try fill(page, row) else {
      page.removeLastRow()
      return false
    }
    nextKey = try store.makeKey(entity: entity.index)
    if pages.fullCount == Self.pageCount { try save(pages.takeFull()) }
    return true
  }

  var reserveKeys: (@Sendable (Int) -> RowKey)? {
    guard keySlot == nil, case .rowid = store.mapping.entities[entity.index].key else { return nil }
    let root = entity.root
    store.giveBackKey(nextKey, of: root)
    return { [store] in store.reserveKeys($0, of: root) }
  }

  func insert(_ pages: [RowPage]) throws { try save(pages) }

  func write<Rules: RowRules>(_ rows: [Rules.Row], by rules: inout Rules) throws {
    guard let seen, let keySlot else { preconditionFailure("Rows without a key are inserted.") }
    var fresh: [Rules.Row] = []
    for row in rows {
      seen.reset()
      try seen.bind(rules.key(of: row), at: 1)
      try seen.run()
      if sqlite3_changes(database.sqliteConnection) > 0 {
        fresh.append(row)
      } else {
        try rules.refuseRepeated(row)
      }
    }
    let found = try stored(fresh.map { rules.key(of: $0) }, keySlot)
    for row in fresh {
      if let place = found[rules.key(of: row)] {
        if let values = try rules.values(of: row), let update = update(place, values) {
          updates.append(update)
        }
      } else {
        _ = try insert { try rules.fill($0, $1, with: row) }
      }
    }
    try flush()
  }

  /// A stored row.
  private struct Place {
    let key: RowKey
    let page: RowPage
    let row: Int
  }

  private func stored(_ keys: [Value], _ slot: Slot) throws -> [Value: Place] {
    var found: [Value: Place] = [:]
    // SQLite takes 32,766 values in one statement: https://www.sqlite.org/limits.html
    for start in stride(from: 0, to: keys.count, by: 16_000) {
      let list = keys[start..<min(start + 16_000, keys.count)].map(Predicate.Operand.value)
      let request = DatastoreCore.FetchRequest(
        entity: entity.name,
        predicate: .comparison(
          Predicate.Comparison(.keyPath([entity.properties[slot].name]), .in, .list(list))))
      for page in try store.fetch(request, in: database) {
        for row in 0..<page.rowCount {
          let value = page.value(row: row, slot: slot)
          if found[value] == nil {
            found[value] = Place(key: page.key(ofRow: row), page: page, row: row)
          }
        }
      }
    }
    return found
  }

  /// What is different; nil when nothing is.
  private func update(_ place: Place, _ values: [(slot: Slot, value: Value)]) -> RowUpdate? {
    let different = values.filter { place.page.value(row: place.row, slot: $0.slot) != $0.value }
    if different.isEmpty { return nil }
    let page = RowPage(columnCount: entity.slotCount, rowCapacity: 1)
    page.appendRow(key: place.key)
    for slot in entity.slots {
      page.setValue(place.page.value(row: place.row, slot: slot), row: 0, slot: slot)
    }
    for (slot, value) in different { page.setValue(value, row: 0, slot: slot) }
    page.seal()
    return RowUpdate(
      key: place.key, page: page, row: 0, original: place.page, originalRow: place.row,
      slots: SlotSet(different.map(\.slot)))
  }

  /// Writes everything so far.
  private func flush() throws {
    let full = pages.finish()
    pages = RowReader.Pages(
      columnCount: entity.slotCount, expecting: keySlot == nil ? RowPage.fullCount : 1)
    try save(full)
  }

  private func save(_ inserted: [RowPage]) throws {
    if inserted.isEmpty, updates.isEmpty { return }
    for page in inserted { try store.requireStorable(page, entity.index) }
    var changes = EntityChanges(entity: entity.index)
    changes.inserted = inserted
    changes.updated = updates
    updates = []
    var set = ChangeSet()
    set.entities = [changes]
    let rekeyed = try SaveTransaction(store, set, database).run().rekeyed[entity.root] ?? [:]
    for page in inserted {
      for row in 0..<page.rowCount {
        if changed.isEverything { break }
        let key = page.key(ofRow: row)
        keys.append(rekeyed.isEmpty ? key : rekeyed[key] ?? key)
      }
      insertedCount += page.rowCount
      noteOwners(of: page)
    }
    updatedCount += changes.updated.count
    if keys.count > Self.reportedRows {
      keys = []
      changed.isEverything = true
    }
    guard updatedCount <= Self.reportedRows else {
      changed.updated[entity.index] = nil
      changed.isEverything = true
      return
    }
    for update in changes.updated {
      changed.updated[entity.index, default: [:]][update.key] = update.slots
    }
  }

  /// The objects whose to-many relationships have gained rows of a page.
  private func noteOwners(of page: RowPage) {
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

  /// Writes the rest.
  ///
  /// - Returns: what has changed, and how many rows are new.
  fileprivate func end() throws -> (MergedKeys, Int) {
    try flush()
    // So that rows that come in several transactions have keys one after another, too.
    if case .rowid = store.mapping.entities[entity.index].key {
      store.giveBackKey(nextKey, of: entity.root)
    }
    if let seen {
      seen.reset()
      try database.execute(sql: "DROP TABLE temp._datastore_seen")
    }
    try RelationshipCounts(store: store, database: database).validate(changed)
    if !keys.isEmpty, !changed.isEverything { changed.inserted[entity.index] = keys }
    return (changed, insertedCount)
  }
}

extension SQLiteStore {
  package func writeRows(
    entity: EntityIndex, key slot: Slot?, _ body: (any RowTransaction) throws -> Void
  ) throws -> (MergedKeys, Int) {
    try requireWritable(entity)
    // Reads the store, if it is the first key that is asked for: not possible inside a transaction.
    let firstKey = try makeKey(entity: entity)
    return try batchTransaction { database, _ in
      let rows = try SQLiteRowTransaction(self, database, entity, key: slot, firstKey: firstKey)
      try body(rows)
      return try rows.end()
    }
  }

  /// - Throws: `ValidationError` for whole numbers that SQLite would round, and for what breaks a rule.
  func requireStorable(_ page: RowPage, _ entity: EntityIndex) throws {
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
    for (slot, type, rules) in described.rules {
      for row in 0..<page.rowCount {
        let value = page.value(row: row, slot: slot)
        for rule in rules where !rule.accepts(value, of: type) {
          faults.append(
            ValidationError.Fault(
              entity: described.name, key: page.key(ofRow: row),
              property: described.properties[slot].name,
              reason: .breaksRule(rule, value: value, type: type)))
        }
      }
    }
    if !faults.isEmpty { throw ValidationError(faults: faults) }
  }
}

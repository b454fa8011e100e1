package import DatastoreCore
import GRDB
import GRDBSQLite

/// Where the rows of an upsert come from.
package protocol UpsertSource {
  associatedtype Row

  /// The next rows; none at the end. Must not use the store.
  mutating func next() throws -> [Row]
  /// By which value a row is told apart.
  func key(of row: Row) -> Value
  /// The values of a row that is there, by slot; nil when it is to stay as it is.
  mutating func values(of row: Row) throws -> [(slot: Int, value: Value)]?
  /// Makes a new row; false when there is to be none.
  mutating func fill(_ page: RowPage, _ place: Int, with row: Row) throws -> Bool
  /// Hears of a row whose key a row before it had, too. It is left out.
  mutating func refuseRepeated(_ row: Row) throws
}

extension SQLiteStore {
  /// Gives rows new values, or inserts those that are not there, in one transaction and without holding
  /// them all. Writes attributes only. Of several stored rows with one key, the first counts.
  ///
  /// - Parameter slot: the attribute by which rows are told apart.
  /// - Returns: what has changed, and how many rows were inserted.
  /// - Throws: what the source throws, or `StoreError`; nothing is written then.
  package func upsertRows<Source: UpsertSource>(
    entity: Int, key slot: Int, from source: inout Source
  ) throws -> (MergedKeys, Int) {
    try requireWritable(entity)
    // Reads the store, if it is the first key that is asked for: not possible inside a transaction.
    var nextKey = try makeKey(entity: entity)
    return try batchTransaction { database, _ in
      var upsert = try Upsert(self, database, entity, slot)
      while true {
        let rows = try source.next()
        if rows.isEmpty { break }
        try upsert.write(rows, from: &source, nextKey: &nextKey)
      }
      try upsert.end()
      return (upsert.changed, upsert.inserted)
    }
  }
}

/// An upsert inside its transaction.
private struct Upsert {
  private let store: SQLiteStore
  private let database: Database
  private let entity: Entity
  private let slot: Int
  private(set) var changed = MergedKeys()
  private(set) var inserted = 0
  private var updatedCount = 0
  /// Keys that have come so far, in a table of SQLite's that memory does not grow with.
  private let seen: RawStatement

  /// Changed rows that are told one by one; beyond them, that anything may have changed.
  private static let toldRows = 100_000

  init(_ store: SQLiteStore, _ database: Database, _ entity: Int, _ slot: Int) throws {
    self.store = store
    self.database = database
    self.entity = store.schema.entities[entity]
    self.slot = slot
    try database.execute(sql: "DROP TABLE IF EXISTS temp._datastore_seen")
    try database.execute(
      sql: "CREATE TEMP TABLE _datastore_seen (value PRIMARY KEY) WITHOUT ROWID")
    seen = try RawStatement(
      "INSERT OR IGNORE INTO temp._datastore_seen VALUES (?)", in: database)
  }

  mutating func end() throws {
    seen.reset()
    try database.execute(sql: "DROP TABLE temp._datastore_seen")
    try RelationshipCounts(store: store, database: database).validate(changed)
  }

  mutating func write<Source: UpsertSource>(
    _ rows: [Source.Row], from source: inout Source, nextKey: inout Int64
  ) throws {
    var fresh: [Source.Row] = []
    for row in rows {
      seen.reset()
      try seen.bind(source.key(of: row), at: 1)
      try seen.run()
      if sqlite3_changes(database.sqliteConnection) > 0 {
        fresh.append(row)
      } else {
        try source.refuseRepeated(row)
      }
    }
    let found = try stored(fresh.map { source.key(of: $0) })
    var changes = EntityChanges(entity: entity.index)
    var pages = RowReader.Pages(
      slotCount: entity.slotCount, expecting: max(1, fresh.count - found.count))
    for row in fresh {
      if let place = found[source.key(of: row)] {
        if let values = try source.values(of: row), let update = update(place, values) {
          changes.updated.append(update)
        }
        continue
      }
      let page = pages.nextUnchecked()
      let place = page.appendRow(key: nextKey)
      guard try source.fill(page, place, with: row) else {
        page.removeLastRow()
        continue
      }
      nextKey = try store.makeKey(entity: entity.index)
    }
    changes.inserted = pages.finish().filter { $0.rowCount > 0 }
    try save(changes)
  }

  /// A stored row.
  private struct Place {
    let key: Int64
    let page: RowPage
    let row: Int
  }

  private func stored(_ keys: [Value]) throws -> [Value: Place] {
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
  private func update(_ place: Place, _ values: [(slot: Int, value: Value)]) -> RowUpdate? {
    let different = values.filter { place.page.value(row: place.row, slot: $0.slot) != $0.value }
    if different.isEmpty { return nil }
    let page = RowPage(slotCount: entity.slotCount, rowCapacity: 1)
    page.appendRow(key: place.key)
    for slot in 0..<entity.slotCount {
      page.setValue(place.page.value(row: place.row, slot: slot), row: 0, slot: slot)
    }
    for (slot, value) in different { page.setValue(value, row: 0, slot: slot) }
    page.seal()
    return RowUpdate(
      key: place.key, page: page, row: 0, original: place.page, originalRow: place.row,
      slots: SlotSet(different.map(\.slot)))
  }

  private mutating func save(_ changes: EntityChanges) throws {
    if changes.inserted.isEmpty, changes.updated.isEmpty { return }
    for page in changes.inserted { try store.requireStorable(page, entity.index) }
    var set = ChangeSet()
    set.entities = [changes]
    let rekeyed = try SaveTransaction(store, set, database).run().rekeyed[entity.root] ?? [:]
    for page in changes.inserted {
      inserted += page.rowCount
      for row in 0..<page.rowCount {
        let key = page.key(ofRow: row)
        changed.inserted[entity.index, default: []].append(rekeyed[key] ?? key)
      }
    }
    updatedCount += changes.updated.count
    guard updatedCount <= Self.toldRows else {
      changed.updated[entity.index] = nil
      changed.isEverything = true
      return
    }
    for update in changes.updated {
      changed.updated[entity.index, default: [:]][update.key] = update.slots
    }
  }
}

package import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Writes rows into a table inside one transaction, without holding all of them. New rows are added one by
/// one. Writes attributes, and the to-one relationships of new rows.
final class SQLiteRowTransaction: SQLRowTransaction {
  private let store: SQLiteStore
  private let database: Database
  let entity: Entity
  let keySlot: Slot?
  /// Whether keys are assigned by counting.
  private let hasRowids: Bool
  /// The key of the next row; nil before the first one, and if rows have their own keys.
  private var nextKey: RowKey?
  /// The number of further reserved keys after it.
  private var reservedKeys: Int64 = 0
  private var pages: RowReader.Pages
  var written: WrittenRows
  /// The look-ups of rows with a statement of their own; nil where that is not possible.
  private var lookups: [LookupPlace: RowLookup?] = [:]

  /// The number of pages written at once, so that the cost before the first row is negligible.
  private static let pageCount = 32

  fileprivate init(
    _ store: SQLiteStore, _ database: Database, _ entity: EntityIndex, key slot: Slot?
  ) throws {
    self.store = store
    self.database = database
    self.entity = store.schema.entities[entity]
    keySlot = slot
    written = WrittenRows(of: self.entity, hasKeys: slot != nil)
    if case .rowid = store.complete.entities[entity].key {
      hasRowids = true
    } else {
      hasRowids = false
    }
    pages = RowReader.Pages(
      columnCount: self.entity.slotCount, expecting: slot == nil ? RowPage.fullCount : 1)
  }

  func insertAll(_ fill: (RowPage, Int) throws -> Bool) throws {
    while try insert(fill) {}
  }

  func insert(_ fill: (RowPage, Int) throws -> Bool) throws -> Bool {
    let page = pages.nextUnchecked()
    let row = page.appendRow(key: try nextKey ?? takeKey())
    guard try fill(page, row) else {
      page.removeLastRow()
      return false
    }
    try takeKey()
    if pages.fullCount == Self.pageCount { try save(pages.takeFull()) }
    return true
  }

  /// Makes the key of the next row. Counted keys are reserved by the page, because the lock for each took as
  /// long as binding a value.
  @discardableResult
  private func takeKey() throws -> RowKey {
    let key: RowKey
    if !hasRowids {
      key = try store.makeKey(entity: entity.index)
    } else if let last = nextKey, reservedKeys > 0 {
      key = RowKey(last.rawValue &+ 1)
      reservedKeys -= 1
    } else {
      key = store.reserveKeys(RowPage.fullCount, of: entity.root)
      reservedKeys = Int64(RowPage.fullCount) - 1
    }
    nextKey = key
    return key
  }

  var reserveKeys: (@Sendable (Int) throws -> RowKey)? {
    guard keySlot == nil, hasRowids else { return nil }
    return { [store, root = entity.root] in store.reserveKeys($0, of: root) }
  }

  func insert(_ pages: [RowPage]) throws { try save(pages) }

  private struct LookupPlace: Hashable {
    let entity: EntityIndex
    let slot: Slot
  }

  private func lookup(_ entity: Entity, _ slot: Slot) throws -> RowLookup? {
    let place = LookupPlace(entity: entity.index, slot: slot)
    if let known = lookups[place] { return known }
    let lookup = try RowLookup(store.mapping, entity, slot, in: database)
    lookups[place] = .some(lookup)
    return lookup
  }

  func stored(_ rows: RowBatch, _ slot: Slot) throws -> [HeldRow?] {
    guard let lookup = try lookup(entity, slot) else {
      return try stored(
        (0..<rows.count).map { rows.page.value(row: $0, slot: slot) }, entity, slot)
    }
    return try stored(0..<rows.count, entity, lookup) { row, statement in
      try statement.bind(rows.page, row: row, slot: slot, at: 1)
    }
  }

  func stored(_ values: [Value], _ entity: Entity, _ slot: Slot) throws -> [HeldRow?] {
    if let lookup = try lookup(entity, slot) {
      return try stored(values, entity, lookup) { try $1.bind($0, at: 1) }
    }
    var found: [Value: HeldRow] = [:]
    // SQLite takes 32,766 values in one statement: https://www.sqlite.org/limits.html
    for start in stride(from: 0, to: values.count, by: 16_000) {
      let list = values[start..<min(start + 16_000, values.count)].map(Predicate.Operand.value)
      let request = DatastoreCore.FetchRequest(
        entity: entity.name,
        predicate: .comparison(
          Predicate.Comparison(.keyPath([entity.properties[slot].name]), .in, .list(list))))
      for page in try store.fetch(request, in: database) {
        for row in 0..<page.rowCount {
          let value = distinguished(page.value(row: row, slot: slot))
          found[value, default: HeldRow(RowReference(page, row), count: 0)].count += 1
        }
      }
    }
    return values.map { found[distinguished($0)] }
  }

  func distinguished(_ key: Value) -> Value { key.asSQLiteKey }

  private func stored<Keys: Collection>(
    _ keys: Keys, _ entity: Entity, _ lookup: RowLookup,
    _ bind: (Keys.Element, RawStatement) throws -> Void
  ) throws -> [HeldRow?] {
    var pages = RowReader.Pages(columnCount: entity.pageColumnCount, expecting: keys.count)
    var places: [HeldRow?] = []
    places.reserveCapacity(keys.count)
    // The bound values live until here.
    defer { lookup.end() }
    for key in keys {
      let found = try lookup.row(into: &pages) { try bind(key, $0) }
      places.append(found.map { HeldRow(RowReference($0.page, $0.row), count: $0.count) })
    }
    _ = pages.finish()
    return places
  }

  func flush() throws {
    let full = pages.finish()
    pages = RowReader.Pages(
      columnCount: entity.slotCount, expecting: keySlot == nil ? RowPage.fullCount : 1)
    try save(full)
  }

  private func save(_ inserted: [RowPage]) throws {
    var changes = EntityChanges(entity: entity.index)
    changes.inserted = inserted
    changes.updated = written.takeUpdates()
    if inserted.isEmpty, changes.updated.isEmpty { return }
    try store.schema.requireStorable(changes)
    var set = ChangeSet()
    set.entities = [changes]
    let rekeyed = try SaveTransaction(store, set, database).run().rekeyed[entity.root] ?? [:]
    for page in inserted { written.record(inserted: page, rekeyed: rekeyed) }
  }

  /// Writes the remaining rows.
  ///
  /// - Returns: the changes, and the number of new rows.
  fileprivate func end() throws -> (MergedKeys, Int) {
    try flush()
    // So that rows written in several transactions also have consecutive keys.
    if hasRowids, let nextKey { store.giveBackKeys(nextKey, reservedKeys + 1, of: entity.root) }
    return (written.changes, written.insertedCount)
  }
}

extension SQLiteStore {
  package func writeRows(
    entity: EntityIndex, key slot: Slot?, _ body: (any RowTransaction) throws -> Void
  ) throws -> (MergedKeys, Int) {
    try requireWritable()
    try schema.requireWritable(entity)
    // Reads the store: not possible inside a transaction.
    try findNextKey(of: entity)
    return try batchTransaction { database, hasTriggers in
      let rows = try SQLiteRowTransaction(self, database, entity, key: slot)
      try body(rows)
      let (changed, count) = try rows.end()
      try FileBatch(self, database, hasTriggers: hasTriggers).validateCounts(changed)
      return (changed, count)
    }
  }
}

#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Writes rows to a table inside one transaction, without holding all of them. New rows are collected and
/// sent by COPY if the table allows that; rows that have a key are looked up batch by batch, by one statement
/// each.
final class PostgreSQLRowTransaction: SQLRowTransaction {
  let transaction: WriteTransaction
  let entity: Entity
  let keySlot: Slot?
  /// New rows that were not processed yet.
  private var page: RowPage
  /// nil for tables whose rows are inserted.
  private var copied: CopiedRows?
  /// New rows of such a table, whose keys may follow from their values.
  private var others: [RowPage] = []
  var written: WrittenRows
  /// Keys that are reserved for the next rows.
  private var reserved: Range<Int64> = 0..<0
  /// The key of the last row of a third-party table.
  private var lastKey: RowKey?

  /// Pages that are written at once if COPY is not used.
  private static let otherPages = 16
  /// Keys that are reserved at once.
  private static let reservedKeys = 250

  init(_ transaction: WriteTransaction, _ entity: EntityIndex, key slot: Slot?) {
    self.transaction = transaction
    self.entity = transaction.schema.entities[entity]
    keySlot = slot
    written = WrittenRows(of: self.entity, hasKeys: slot != nil)
    page = Self.newPage(self.entity)
    copied = CopiedRows(transaction.mapping, entity, transaction.store.tables[entity])
    if copied != nil { transaction.deferConstraints() }
  }

  private var store: PostgreSQLStore { transaction.store }

  private static func newPage(_ entity: Entity) -> RowPage {
    RowPage(columnCount: entity.slotCount, rowCapacity: RowPage.fullCount)
  }

  func insertAll(_ fill: (RowPage, Int) throws -> Bool) throws {
    while try insert(fill) {}
    try takePage()
  }

  func insert(_ fill: (RowPage, Int) throws -> Bool) throws -> Bool {
    let row = page.appendRow(key: try nextKey())
    guard try fill(page, row) else {
      page.removeLastRow()
      return false
    }
    if transaction.mapping.isNative { reserved = reserved.dropFirst() }
    if page.isFull { try takePage() }
    return true
  }

  private func nextKey() throws -> RowKey {
    if !transaction.mapping.isNative {
      let key = try store.makeKey(entity: entity.index, after: lastKey)
      lastKey = key
      return key
    }
    if reserved.isEmpty {
      let first = try store.makeKeys(Self.reservedKeys, of: entity.index).rawValue
      reserved = first..<first + Int64(Self.reservedKeys)
    }
    return RowKey(reserved.lowerBound)
  }

  var reserveKeys: (@Sendable (Int) throws -> RowKey)? {
    guard keySlot == nil, copied != nil else { return nil }
    let (store, index) = (store, entity.index)
    if store.mapping.isNative { return { try store.makeKeys($0, of: index) } }
    guard store.countsOneByOne(index) else { return nil }
    return { try store.makeSequenceKeys($0, of: index) }
  }

  func insert(_ pages: [RowPage]) throws {
    for page in pages { try takeSealed(page) }
  }

  func stored(_ rows: RowBatch, _ slot: Slot) throws -> [HeldRow?] {
    try stored((0..<rows.count).map { rows.page.value(row: $0, slot: slot) }, entity, slot)
  }

  /// Processes the rows that were filled.
  private func takePage() throws {
    if page.rowCount == 0 { return }
    page.seal()
    let full = page
    page = Self.newPage(entity)
    try takeSealed(full)
  }

  private func takeSealed(_ page: RowPage) throws {
    var changes = EntityChanges(entity: entity.index)
    changes.inserted = [page]
    try store.schema.requireStorable(changes)
    guard let rekeyed = try copied?.append(page) else {
      others.append(page)
      if others.count == Self.otherPages { try writeOthers() }
      return
    }
    written.record(inserted: page, rekeyed: rekeyed)
    if copied?.isFull ?? false { try sendCopied() }
  }

  /// Writes the new rows of a table that COPY does not fill.
  private func writeOthers() throws {
    if others.isEmpty { return }
    var changes = EntityChanges(entity: entity.index)
    changes.inserted = others
    others = []
    var set = ChangeSet()
    set.entities = [changes]
    var keys = KeyAssignment(store, set)
    do {
      try keys.run()
    } catch let failure as PostgreSQLFailure {
      throw WriteTransaction.Failure(failure: failure, entity: entity.index)
    }
    transaction.add(
      try SaveMessage(
        set, transaction.mapping, tables: store.tables, rekeyed: keys.rekeyed, settled: []
      ).steps)
    try transaction.flush()
    for page in changes.inserted {
      written.record(inserted: page, rekeyed: keys.rekeyed[entity.root] ?? [:])
    }
  }

  private func sendCopied() throws {
    guard let rows = copied, !rows.keys.isEmpty else { return }
    try transaction.copy(rows)
    copied?.removeAll()
  }

  func flush() throws {
    try takePage()
    try sendCopied()
    try writeOthers()
    var changes = EntityChanges(entity: entity.index)
    changes.updated = written.takeUpdates()
    if changes.updated.isEmpty { return }
    try store.schema.requireStorable(changes)
    var set = ChangeSet()
    set.entities = [changes]
    // They travel with the next question.
    transaction.add(
      try SaveMessage(
        set, transaction.mapping, tables: store.tables, settled: []
      ).steps)
  }

  /// Releases the reserved keys that were not used.
  func giveBackKeys() {
    store.keyBlocks.giveBack(reserved, of: entity.root)
    reserved = 0..<0
  }

  /// Writes the rest, and returns the changed keys and the number of new rows.
  func end() throws -> (MergedKeys, Int) {
    try flush()
    let changes = written.changes
    try ServerBatch(transaction).validateCounts(changes)
    return (changes, written.insertedCount)
  }
}
#endif

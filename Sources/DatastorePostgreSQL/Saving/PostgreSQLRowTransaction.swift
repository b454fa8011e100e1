#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// Rows on their way into a table inside one transaction, without holding all of them.
///
/// New rows are collected and sent by COPY. Rows that have a key are looked for batch by batch, by one statement each:
/// those that are there get new values, the others are new.
final class PostgreSQLRowTransaction: RowTransaction {
  let transaction: WriteTransaction
  private let entity: Entity
  /// The attribute by which rows are distinguished; nil where each is new.
  private let keySlot: Slot?
  private var copied: CopiedRows
  /// New rows of a table of others, whose keys may follow from their values.
  private var others: [RowPage] = []
  private var written: WrittenRows
  /// Keys that were reserved for the next rows.
  private var reserved: Range<Int64> = 0..<0

  /// Pages that are written at once where COPY is not used.
  private static let otherPages = 16
  /// Keys that are taken at once.
  private static let reservedKeys = 250

  init(_ transaction: WriteTransaction, _ entity: EntityIndex, key slot: Slot?) {
    self.transaction = transaction
    self.entity = transaction.schema.entities[entity]
    keySlot = slot
    written = WrittenRows(of: self.entity, hasKeys: slot != nil)
    copied = CopiedRows(transaction.mapping, entity)
  }

  private var store: PostgreSQLStore { transaction.store }

  func insertAll(_ fill: (RowPage, Int) throws -> Bool) throws {
    while true {
      let page = RowPage(columnCount: entity.slotCount, rowCapacity: RowPage.fullCount)
      var isEnd = false
      while !isEnd, !page.isFull { isEnd = try !insert(into: page, fill) }
      try take(page)
      if isEnd { return }
    }
  }

  /// Adds a new row, unless `fill` says that there is to be none.
  private func insert(
    into page: RowPage, _ fill: (RowPage, Int) throws -> Bool
  ) throws -> Bool {
    if !transaction.mapping.isNative {
      let row = page.appendRow(key: try store.makeKey(entity: entity.index))
      if try fill(page, row) { return true }
      page.removeLastRow()
      return false
    }
    if reserved.isEmpty {
      let first = try store.makeKeys(Self.reservedKeys, of: entity.index).rawValue
      reserved = first..<first + Int64(Self.reservedKeys)
    }
    let row = page.appendRow(key: RowKey(reserved.lowerBound))
    guard try fill(page, row) else {
      page.removeLastRow()
      return false
    }
    reserved = reserved.dropFirst()
    return true
  }

  var reserveKeys: (@Sendable (Int) throws -> RowKey)? {
    guard keySlot == nil, transaction.mapping.isNative else { return nil }
    return { [store, index = entity.index] in try store.makeKeys($0, of: index) }
  }

  func insert(_ pages: [RowPage]) throws {
    for page in pages { try takeSealed(page) }
  }

  func write(_ rows: RowBatch, by rules: inout some RowRules) throws {
    guard let keySlot else { trap("Rows without a key are inserted.") }
    let given = (0..<rows.count).map { rows.page.value(row: $0, slot: keySlot) }
    let places = try stored(given, entity, keySlot)
    // New rows of the batch, which no statement finds before they are written.
    var seen: Set<Value> = []
    var page = RowPage(columnCount: entity.slotCount, rowCapacity: RowPage.fullCount)
    for (row, place) in places.enumerated() {
      if let place {
        if written.contains(place.key) {
          try rules.refuseRepeated(row)
        } else if try rules.updates(row) {
          written.compare(rows, row, with: place, isWriting: true)
        }
      } else if seen.contains(given[row]) {
        try rules.refuseRepeated(row)
      } else if try insert(into: page, { try rules.fill($0, $1, with: row) }) {
        seen.insert(given[row])
        if page.isFull {
          try take(page)
          page = RowPage(columnCount: entity.slotCount, rowCapacity: RowPage.fullCount)
        }
      }
    }
    try take(page)
    try flush()
  }

  func update(_ rows: RowBatch, by rules: inout some RowRules) throws {
    guard let keySlot else { trap("Rows without a key are inserted.") }
    let given = (0..<rows.count).map { rows.page.value(row: $0, slot: keySlot) }
    for (row, place) in try stored(given, entity, keySlot).enumerated() {
      guard let place, try rules.updates(row) else { continue }
      written.compare(rows, row, with: place, isWriting: false)
    }
    try flush()
  }

  /// Takes rows that were filled.
  private func take(_ page: RowPage) throws {
    if page.rowCount == 0 { return }
    page.seal()
    try takeSealed(page)
  }

  private func takeSealed(_ page: RowPage) throws {
    var changes = EntityChanges(entity: entity.index)
    changes.inserted = [page]
    try store.schema.requireStorable(changes)
    guard transaction.mapping.isNative else {
      others.append(page)
      if others.count == Self.otherPages { try writeOthers() }
      return
    }
    try copied.append(page)
    written.note(inserted: page)
    if copied.isFull { try sendCopied() }
  }

  /// Writes the new rows of a table of others.
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
      written.note(inserted: page, rekeyed: keys.rekeyed[entity.root] ?? [:])
    }
  }

  private func sendCopied() throws {
    if copied.keys.isEmpty { return }
    try transaction.copy(copied)
    copied.removeAll()
  }

  /// Writes everything so far.
  private func flush() throws {
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

  /// Lets others have the keys that were reserved and are not used.
  func giveBackKeys() {
    store.keyBlocks.giveBack(reserved, of: entity.root)
    reserved = 0..<0
  }

  /// Writes the rest, and answers with what has changed, and how many rows are new.
  func end() throws -> (MergedKeys, Int) {
    try flush()
    let changes = written.changes
    try ServerBatch(transaction).validateCounts(changes)
    return (changes, written.insertedCount)
  }
}
#endif

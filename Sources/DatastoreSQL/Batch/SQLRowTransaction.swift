import Basics
package import DatastoreCore

/// Rows on their way into a table of a database. Rows that have a key are written batch by batch: those that
/// are there get new values, the others are new. An engine says how rows are found and sent.
package protocol SQLRowTransaction: RowTransaction {
  /// What the rows are of.
  var entity: Entity { get }
  /// The attribute by which rows are distinguished; nil where each is new.
  var keySlot: Slot? { get }
  /// What was written so far.
  var written: WrittenRows { get set }

  /// The stored rows with the keys of a batch, row by row.
  func stored(_ rows: RowBatch, _ slot: Slot) throws -> [RowReference?]
  /// The first stored rows that hold the values, value by value.
  func stored(_ values: [Value], _ entity: Entity, _ slot: Slot) throws -> [RowReference?]
  /// What values have in common that the database holds equal.
  func distinguished(_ key: Value) -> Value
  /// Adds a new row, unless `fill` says that there is to be none.
  func insert(_ fill: (RowPage, Int) throws -> Bool) throws -> Bool
  /// Writes everything so far.
  func flush() throws
}

extension SQLRowTransaction {
  package func distinguished(_ key: Value) -> Value { key }

  private var slotOfKeys: Slot {
    guard let keySlot else { trap("Rows without a key are inserted.") }
    return keySlot
  }

  package func write(_ rows: RowBatch, by rules: inout some RowRules) throws {
    let slot = slotOfKeys
    // New rows of the batch, which no statement finds before they are written.
    var seen: Set<Value> = []
    for (row, place) in try stored(rows, slot).enumerated() {
      if let place {
        if written.contains(place.key) {
          try rules.refuseRepeated(row)
        } else if try rules.updates(row) {
          written.compare(rows, row, with: place, isWriting: true)
        }
        continue
      }
      let key = distinguished(rows.page.value(row: row, slot: slot))
      if seen.contains(key) {
        try rules.refuseRepeated(row)
      } else if try insert({ try rules.fill($0, $1, with: row) }) {
        seen.insert(key)
      }
    }
    try flush()
  }

  package func update(_ rows: RowBatch, by rules: inout some RowRules) throws {
    for (row, place) in try stored(rows, slotOfKeys).enumerated() {
      guard let place, try rules.updates(row) else { continue }
      written.compare(rows, row, with: place, isWriting: false)
    }
    try flush()
  }

  package func keys(
    of entity: Entity, holding values: [Value], at slot: Slot
  ) throws -> [Value: RowKey] {
    let places = try stored(values, entity, slot)
    var keys: [Value: RowKey] = [:]
    for (value, place) in zip(values, places) { keys[value] = place?.key }
    return keys
  }
}

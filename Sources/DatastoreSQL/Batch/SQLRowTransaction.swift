import Basics
package import DatastoreCore

/// Writes rows into a table of a database. Rows with a key are written batch by batch: existing ones are
/// updated, the others inserted. An engine implements how rows are found and sent.
package protocol SQLRowTransaction: RowTransaction {
  /// The attribute that identifies rows; nil if every row is new.
  var keySlot: Slot? { get }
  var written: WrittenRows { get set }

  /// The stored rows with the keys of a batch, row by row.
  func stored(_ rows: RowBatch, _ slot: Slot) throws -> [HeldRow?]
  /// The stored rows with each of the values, value by value.
  func stored(_ values: [Value], _ entity: Entity, _ slot: Slot) throws -> [HeldRow?]
  /// A form of a value in which values that the database considers equal are equal.
  func distinguished(_ key: Value) -> Value
  /// Adds a new row, unless `fill` returns false.
  func insert(_ fill: (RowPage, Int) throws -> Bool) throws -> Bool
}

/// The stored rows that hold one value.
package struct HeldRow {
  /// The first of them.
  package let row: RowReference
  /// Their number.
  package var count: Int

  package init(_ row: RowReference, count: Int) {
    self.row = row
    self.count = count
  }
}

extension SQLRowTransaction {
  package func distinguished(_ key: Value) -> Value { key }

  private var slotOfKeys: Slot {
    guard let keySlot else { trap("Rows without a key are inserted.") }
    return keySlot
  }

  package func write(_ rows: RowBatch, by rules: inout some RowRules) throws {
    let slot = slotOfKeys
    try rules.decide(
      stored(rows, slot), key: { distinguished(rows.page.value(row: $0, slot: slot)) },
      count: { $0.count }, isWritten: { written.contains($0.row.key) },
      update: { written.compare(rows, $0, with: $1.row, isWriting: true) },
      insert: { try insert($1) })
    try flush()
  }

  package func update(_ rows: RowBatch, by rules: inout some RowRules) throws {
    for (row, place) in try stored(rows, slotOfKeys).enumerated() {
      guard let place, try rules.updates(row) else { continue }
      written.compare(rows, row, with: place.row, isWriting: false)
    }
    try flush()
  }

  package func keys(
    of entity: Entity, holding values: [Value], at slot: Slot
  ) throws -> [Value: HeldKey] {
    let places = try stored(values, entity, slot)
    var keys: [Value: HeldKey] = [:]
    for (value, place) in zip(values, places) {
      keys[value] = place.map { HeldKey(key: $0.row.key, count: $0.count) }
    }
    return keys
  }
}

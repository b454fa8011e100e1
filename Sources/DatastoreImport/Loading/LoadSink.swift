import DatastoreCore

/// The destination of the rows of a file, batch by batch: `RowSink` writes them into the store unchanged,
/// `ObjectSink` turns rows with relationships into objects.
protocol LoadSink {
  /// Writes the next rows.
  ///
  /// - Throws: `LoadError.stopped` if an invalid row stops the load; the errors of writing.
  mutating func write(_ rows: [PreparedRow]) throws
}

/// The values that a row must have, for every sink.
struct RowRequirements {
  let entity: Entity
  /// Slots that must have a value.
  let required: [Slot]
  /// The required slots for which the model has no default.
  let wanting: [Slot]

  init(_ entity: Entity) {
    self.entity = entity
    required = entity.slots.filter { slot in
      guard let attribute = entity.properties[slot].attribute else { return false }
      return !attribute.isOptional && !attribute.isReadOnly
    }
    wanting = required.filter { entity.properties[$0].attribute?.defaultValue.isNull ?? true }
  }

  /// Whether a missing value leaves a slot of a new row at its initial value.
  func isLeftOut(_ value: Value, slot: Slot) -> Bool {
    value.isNull && entity.properties[slot].attribute?.isOptional == false
  }

  /// - Throws: for a new row without a value for a required slot.
  func checkNew(_ row: PreparedRow) throws(LoadFault) {
    for slot in wanting
    where !row.values.contains(where: { $0.slot == slot && !$0.value.isNull }) {
      throw missing(slot, row)
    }
  }

  /// - Throws: for a row that removes a required value from an object.
  func checkUpdate(_ row: PreparedRow) throws(LoadFault) {
    for (slot, value) in row.values where isLeftOut(value, slot: slot) { throw missing(slot, row) }
  }

  /// A row lacks a required value.
  func missing(_ slot: Slot, _ row: PreparedRow) -> LoadFault {
    LoadFault(
      row.position(of: slot), Self.missing(entity.properties[slot].name), record: row.number)
  }

  /// The sentence for a property without a required value.
  static func missing(_ name: String) -> String {
    "“\(name)” must have a value, but has none here"
  }

  /// A row has the key of an earlier one in the same file.
  static func repeated(_ row: PreparedRow) -> LoadFault {
    LoadFault(
      row.keyPosition ?? row.position,
      "a record before this one has the same key, \((row.key ?? .null).shownInMessage)",
      record: row.number)
  }

  /// A row has a key that several stored rows have.
  static func ambiguous(_ row: PreparedRow, _ count: Int) -> LoadFault {
    LoadFault(
      row.keyPosition ?? row.position,
      "\(count) stored rows have the key \((row.key ?? .null).shownInMessage), which must identify one",
      record: row.number)
  }
}

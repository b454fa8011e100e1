import DatastoreCore

/// Where the rows of a file go, batch by batch: `RowSink` writes them into the store as they are,
/// `ObjectSink` makes objects of them that have relationships.
protocol LoadSink {
  /// Writes the next rows.
  ///
  /// - Throws: `LoadError.stopped` where an invalid row stops the load; what writing throws.
  mutating func write(_ rows: [PreparedRow]) throws
}

/// What a row must have, for every sink.
struct RowRequirements {
  let entity: Entity
  /// Slots that must have a value.
  let required: [Slot]
  /// Those among them for which the model has no default.
  let wanting: [Slot]

  init(_ entity: Entity) {
    self.entity = entity
    required = entity.slots.filter { slot in
      guard let attribute = entity.properties[slot].attribute else { return false }
      return !attribute.isOptional && !attribute.isReadOnly
    }
    wanting = required.filter { entity.properties[$0].attribute?.defaultValue.isNull ?? true }
  }

  /// Whether a missing value is not a value for a new row, which has then what new rows begin with.
  func isLeftOut(_ value: Value, slot: Slot) -> Bool {
    value.isNull && entity.properties[slot].attribute?.isOptional == false
  }

  /// - Throws: for a new row that says nothing of a slot which must have a value.
  func checkNew(_ row: PreparedRow) throws(LoadFault) {
    for slot in wanting
    where !row.values.contains(where: { $0.slot == slot && !$0.value.isNull }) {
      throw missing(slot, row)
    }
  }

  /// - Throws: for a row that takes a value from an object which must have it.
  func checkUpdate(_ row: PreparedRow) throws(LoadFault) {
    for (slot, value) in row.values where isLeftOut(value, slot: slot) { throw missing(slot, row) }
  }

  /// A row has no value where it must have one.
  func missing(_ slot: Slot, _ row: PreparedRow) -> LoadFault {
    LoadFault(row.position, Self.missing(entity.properties[slot].name), record: row.number)
  }

  /// The sentence for a property without the value that it must have.
  static func missing(_ name: String) -> String {
    "“\(name)” must have a value, but has none here"
  }

  /// A row has the key of one before it in the same file.
  static func repeated(_ row: PreparedRow) -> LoadFault {
    LoadFault(
      row.keyPosition ?? row.position,
      "a record before this one has the same key, \((row.key ?? .null).shownInMessage)",
      record: row.number)
  }
}

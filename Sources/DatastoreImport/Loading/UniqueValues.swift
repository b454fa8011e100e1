import DatastoreCore

/// Values of which the store has refused a second one. A load that starts again finds the records that have
/// them, as long as it is their file that has them twice.
struct UniqueValues: Equatable {
  private let entity: EntityIndex
  private let slots: [Slot]
  private var seen: Set<KeyValues> = []

  /// - Returns: nil for other errors, and for values that are not attributes.
  init?(refusedBy error: any Error, in schema: Schema) {
    guard case StoreError.notUnique(let name, let properties, _) = error,
      let entity = schema.entity(named: name)
    else { return nil }
    let slots = properties.compactMap(entity.slot(named:)).filter {
      entity.properties[$0].attribute != nil
    }
    guard !slots.isEmpty, slots.count == properties.count else { return nil }
    self.entity = entity.index
    self.slots = slots
  }

  /// - Throws: `LoadFault` if a row before this one has the same values.
  mutating func take(_ row: PreparedRow, of entity: Entity) throws(LoadFault) {
    guard entity.index == self.entity else { return }
    let values = slots.map { slot in row.values.last { $0.slot == slot }?.value ?? .null }
    let key = KeyValues(values)
    if key.isNull || seen.insert(key).inserted { return }
    let names = slots.map { entity.properties[$0].name }.joined(separator: ", ")
    let shown = values.map(\.shownInMessage).joined(separator: ", ")
    throw LoadFault(
      row.position(of: slots[0]),
      "a record before this one has the same \(names), \(shown), which only one \(entity.name) can have",
      record: row.number)
  }
}

import DatastoreCore

/// Records on their way into the store without objects: those whose key a row has give it new values, the others
/// become rows.
///
/// Records are read and written in batches, so that memory does not grow with their number.
struct Upsert<Item> {
  /// Records that are written at once.
  private static var batchSize: Int { 5_000 }

  /// What was read of an item.
  struct Record {
    let item: Item
    let index: Int
    let key: Value
    var values: [(slot: Slot, value: Value)]
  }

  /// A relationship to an object that no row was found for when its record was written.
  private struct Pending {
    let record: Record
    let slot: Slot
    let keySlot: Slot
    let value: Value
  }

  private let entity: Entity
  private let schema: Schema
  private let keySlot: Slot
  private let rows: any RowTransaction
  /// Puts into a new row what nothing was said about.
  private let complete: (RowPage, Int, SlotSet) -> Void
  /// Slots that must have a value and for which the model has no default.
  private let wanting: [Slot]
  private let required: SlotSet
  private let report: ((ImportFault, Item) throws -> Void)?
  private(set) var result = UpsertResult()
  private var batch: [Record] = []
  /// The references of the batch that are still to be looked up: the place of their record in it.
  private var references: [(place: Int, value: UpsertedValue)] = []
  /// By the index of their record.
  private var pending: [Int: [Pending]] = [:]
  /// Relationships between one object and one other, which rows cannot be given without looking at others.
  private let exclusive: SlotSet

  /// - Parameter initialised: slots that `complete` gives a value which no description knows.
  init(
    _ entity: Entity, _ schema: Schema, key: Slot, into rows: any RowTransaction,
    initialised: SlotSet, complete: @escaping (RowPage, Int, SlotSet) -> Void,
    reporting report: ((ImportFault, Item) throws -> Void)?
  ) {
    self.entity = entity
    self.schema = schema
    keySlot = key
    self.rows = rows
    self.complete = complete
    self.report = report
    let required = entity.slots.filter { slot in
      switch entity.properties[slot] {
      case .attribute(let attribute): !attribute.isOptional && !attribute.isReadOnly
      case .relationship(let relationship): !relationship.isOptional
      }
    }
    self.required = SlotSet(required)
    wanting = required.filter {
      !initialised.contains($0) && entity.properties[$0].attribute?.defaultValue.isNull ?? true
    }
    exclusive = SlotSet(
      entity.relationshipSlots.filter { slot in
        guard let link = entity.links[slot], let inverse = link.inverseSlot else { return false }
        return link.kind == .toOne
          && schema.entities[link.destination].links[inverse]?.kind == .toOne
      })
  }

  /// Adds what was read of an item.
  mutating func add(_ item: Item, _ index: Int, _ values: [UpsertedValue]) throws {
    var record = Record(item: item, index: index, key: .null, values: [])
    var key = Value.null
    record.values.reserveCapacity(values.count)
    for value in values {
      if value.slot == keySlot { key = value.value }
      precondition(
        !exclusive.contains(value.slot),
        "\(entity.name).\(entity.properties[value.slot].name) is one-to-one, which upsert cannot set; import "
          + "objects instead")
      if value.keySlot == nil || value.value.isNull {
        record.values.append((value.slot, value.value))
      } else {
        references.append((batch.count, value))
      }
    }
    guard !key.isNull else {
      references.removeAll { $0.place == batch.count }
      // What is wrong with records is reported in their order.
      try flush()
      return try refuse(record, .missingKey(property: entity.properties[keySlot].name))
    }
    batch.append(Record(item: item, index: index, key: key, values: record.values))
    if batch.count == Self.batchSize { try flush() }
  }

  /// Writes what came before a record, and reports that this one is left out.
  ///
  /// - Throws: the fault where nobody hears of it; what the report throws; `StoreError`.
  mutating func refuse(_ item: Item, _ index: Int, _ reason: ImportFault.Reason) throws {
    try flush()
    try refuse(Record(item: item, index: index, key: .null, values: []), reason)
  }

  private mutating func refuse(_ record: Record, _ reason: ImportFault.Reason) throws {
    pending[record.index] = nil
    try tell(record, reason)
    result.skippedCount += 1
  }

  private func tell(_ record: Record, _ reason: ImportFault.Reason) throws {
    let fault = ImportFault(
      entityName: entity.name, index: record.index,
      uniqueID: record.key.isNull ? nil : record.key, reason: reason)
    guard let report else { throw fault }
    try report(fault, record.item)
  }

  /// Writes everything so far, and sets the relationships to rows that have come after their records.
  mutating func end() throws {
    try flush()
    let pending = pending.sorted { $0.key < $1.key }.flatMap(\.value)
    self.pending = [:]
    let counted = result
    for start in stride(from: 0, to: pending.count, by: Self.batchSize) {
      let part = pending[start..<min(start + Self.batchSize, pending.count)]
      for (slots, group) in Dictionary(grouping: part, by: { [$0.slot, $0.keySlot] }) {
        let keys = try keys(group.map(\.value), leadingFrom: slots[0], at: slots[1])
        var found: [Record] = []
        for reference in group {
          var record = reference.record
          if let key = keys[reference.value] {
            record.values = [(reference.slot, .key(key))]
            found.append(record)
          } else {
            try tell(record, unknown(reference.slot, reference.value))
          }
        }
        try rows.update(found, by: &self)
      }
    }
    result = counted
  }

  private mutating func flush() throws {
    if batch.isEmpty { return }
    try resolveReferences()
    let records = batch
    batch = []
    try rows.write(records, by: &self)
  }
}

extension Upsert {
  /// Gives the records of the batch the keys of the rows that they refer to.
  private mutating func resolveReferences() throws {
    if references.isEmpty { return }
    let references = references
    self.references = []
    var unknown: [Int: ImportFault.Reason] = [:]
    let groups = Dictionary(grouping: references) {
      [$0.value.slot, $0.value.keySlot ?? $0.value.slot]
    }
    for (slots, group) in groups.sorted(by: { $0.key[0] < $1.key[0] }) {
      let keys = try keys(group.map(\.value.value), leadingFrom: slots[0], at: slots[1])
      for (place, value) in group {
        if let key = keys[value.value] {
          batch[place].values.append((value.slot, .key(key)))
        } else if mayCome(value.slot) {
          var record = batch[place]
          record.values = []
          pending[record.index, default: []].append(
            Pending(record: record, slot: value.slot, keySlot: slots[1], value: value.value))
        } else {
          unknown[place] = self.unknown(value.slot, value.value)
        }
      }
    }
    if unknown.isEmpty { return }
    let records = batch
    batch = []
    for (place, record) in records.enumerated() {
      if let reason = unknown[place] { try refuse(record, reason) } else { batch.append(record) }
    }
  }

  private func keys(
    _ values: [Value], leadingFrom slot: Slot, at keySlot: Slot
  ) throws -> [Value: RowKey] {
    guard let link = entity.links[slot] else { return [:] }
    return try rows.keys(
      of: schema.entities[link.destination], holding: Array(Set(values)), at: keySlot)
  }

  /// Whether what a relationship leads to may be a record that follows.
  private func mayCome(_ slot: Slot) -> Bool {
    guard let link = entity.links[slot], !required.contains(slot) else { return false }
    return schema.entities[link.destination].root == entity.root
  }

  private func unknown(_ slot: Slot, _ value: Value) -> ImportFault.Reason {
    let destination = entity.links[slot].map { schema.entities[$0.destination].name } ?? ""
    return .unknownObject(
      relationship: entity.properties[slot].name, entity: destination, key: value)
  }
}

extension Upsert: RowRules {
  func key(of record: Record) -> Value { record.key }

  mutating func values(of record: Record) throws -> [(slot: Slot, value: Value)]? {
    for (slot, value) in record.values where value.isNull && required.contains(slot) {
      try refuse(record, .missingValue(property: entity.properties[slot].name))
      return nil
    }
    result.updatedCount += 1
    return record.values
  }

  mutating func fill(_ page: RowPage, _ place: Int, with record: Record) throws -> Bool {
    var given = SlotSet()
    for (slot, value) in record.values where !value.isNull || !required.contains(slot) {
      page.setValue(value, row: place, slot: slot)
      given.insert(slot)
    }
    if let slot = wanting.first(where: { !given.contains($0) }) {
      try refuse(record, .missingValue(property: entity.properties[slot].name))
      return false
    }
    complete(page, place, given)
    result.insertedCount += 1
    return true
  }

  mutating func refuseRepeated(_ record: Record) throws {
    try refuse(record, .repeatedKey(property: entity.properties[keySlot].name))
  }
}

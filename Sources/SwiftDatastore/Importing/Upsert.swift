import DatastoreCore

/// Writes records into the store without objects: records with the key of an existing row update it, the
/// others become new rows.
///
/// Records are read and written in batches, so that memory does not grow with their number.
struct Upsert<Item> {
  /// The item that a record was read from.
  private struct Source {
    let item: Item
    let index: Int
  }

  /// A relationship whose destination did not exist when its record was written.
  private struct Pending {
    let source: Source
    let key: Value
    let place: UpsertedPlace
    let value: Value
  }

  private let entity: Entity
  private let schema: Schema
  private let keySlot: Slot
  private let rows: any RowTransaction
  /// Completes a new row with defaults and initial values.
  private let complete: (RowPage, Int, SlotSet) -> Void
  /// Required slots without a default in the model.
  private let wanting: [Slot]
  private let required: SlotSet
  private let report: ((ImportFault, Item) throws -> Void)?
  private(set) var result = UpsertResult()
  /// The records to write next.
  var records: UpsertBatch
  /// The items of the records, row by row.
  private var sources: [Source] = []
  /// By the index of their record.
  private var pending: [Int: [Pending]] = [:]
  /// - Parameter initialised: slots to which `complete` gives a value that is not in the schema.
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
    records = UpsertBatch(entity, schema, key: key)
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
  }

  /// Begins the record of an item, whose values are then added to `records`.
  mutating func begin(_ item: Item, _ index: Int) {
    records.begin()
    sources.append(Source(item: item, index: index))
  }

  /// Ends the record that was begun.
  ///
  /// - Throws: like `refuse(_:_:_:)`.
  mutating func endRecord() throws {
    if records.hasKey {
      if records.isFull { try flush() }
      return
    }
    records.removeLast()
    let source = sources.removeLast()
    try refuse(
      source.item, source.index, .missingKey(property: entity.properties[keySlot].name))
  }

  /// Writes the records before this one, and reports that it is left out.
  ///
  /// - Throws: the fault if no closure receives it; the error of the closure; `StoreError`.
  mutating func refuse(_ item: Item, _ index: Int, _ reason: ImportFault.Reason) throws {
    // Faults are reported in the order of their records.
    try flush()
    try refuse(Source(item: item, index: index), key: .null, reason)
  }

  /// Leaves out a row of the batch.
  private mutating func refuse(_ row: Int, _ reason: ImportFault.Reason) throws {
    try refuse(sources[row], key: key(of: row), reason)
  }

  private mutating func refuse(
    _ source: Source, key: Value, _ reason: ImportFault.Reason
  ) throws {
    pending[source.index] = nil
    try tell(source, key: key, reason)
    result.skippedCount += 1
  }

  private func tell(_ source: Source, key: Value, _ reason: ImportFault.Reason) throws {
    let fault = ImportFault(
      entityName: entity.name, index: source.index, uniqueID: key.isNull ? nil : key,
      reason: reason)
    guard let report else { throw fault }
    try report(fault, source.item)
  }

  private func key(of row: Int) -> Value { records.rows.page.value(row: row, slot: keySlot) }

  /// Writes all remaining records, and sets the relationships to rows that came after their records.
  mutating func finish() throws {
    try flush()
    let pending = pending.sorted { $0.key < $1.key }.flatMap(\.value)
    self.pending = [:]
    let counted = result
    for start in stride(from: 0, to: pending.count, by: UpsertBatch.size) {
      let part = pending[start..<min(start + UpsertBatch.size, pending.count)]
      for (place, group) in Dictionary(grouping: part, by: \.place) {
        let keys = try keys(group.map(\.value), of: place)
        for reference in group {
          guard let key = keys[reference.value] else {
            try tell(
              reference.source, key: reference.key, unknown(place.slot, reference.value))
            continue
          }
          begin(reference.source.item, reference.source.index)
          records.rows.set(reference.key, row: records.rows.count - 1, slot: keySlot)
          records.rows.set(.key(key), row: records.rows.count - 1, slot: place.slot)
        }
        records.rows.page.seal()
        try rows.update(records.rows, by: &self)
        startBatch()
      }
    }
    result = counted
  }

  private mutating func flush() throws {
    if sources.isEmpty { return }
    let (late, unknown) = try resolveReferences()
    records.rows.page.seal()
    for (row, place, value) in late {
      pending[sources[row].index, default: []].append(
        Pending(source: sources[row], key: key(of: row), place: place, value: value))
    }
    if !unknown.isEmpty {
      for (row, reason) in unknown.sorted(by: { $0.key < $1.key }) { try refuse(row, reason) }
      records.rows = records.rows.filtered { unknown[$0] == nil }
      records.rows.page.seal()
      sources = sources.indices.filter { unknown[$0] == nil }.map { sources[$0] }
    }
    try rows.write(records.rows, by: &self)
    startBatch()
  }

  private mutating func startBatch() {
    records.removeAll()
    sources.removeAll(keepingCapacity: true)
  }
}

extension Upsert {
  /// Replaces references in the records of the batch by the keys of their destinations.
  ///
  /// - Returns: references whose destination may still come, and rows whose destination never will.
  private mutating func resolveReferences() throws -> (
    late: [UpsertBatch.Reference], unknown: [Int: ImportFault.Reason]
  ) {
    let references = records.takeReferences()
    if references.isEmpty { return ([], [:]) }
    var late: [UpsertBatch.Reference] = []
    var unknown: [Int: ImportFault.Reason] = [:]
    let groups = Dictionary(grouping: references, by: \.place)
    for (place, group) in groups.sorted(by: { $0.key.slot < $1.key.slot }) {
      let keys = try keys(group.map(\.value), of: place)
      for reference in group {
        if let key = keys[reference.value] {
          records.rows.set(.key(key), row: reference.row, slot: place.slot)
        } else if mayCome(place.slot) {
          late.append(reference)
        } else {
          unknown[reference.row] = self.unknown(place.slot, reference.value)
        }
      }
    }
    return (late, unknown)
  }

  private func keys(_ values: [Value], of place: UpsertedPlace) throws -> [Value: RowKey] {
    guard let link = entity.links[place.slot], let keySlot = place.keySlot else { return [:] }
    return try rows.keys(
      of: schema.entities[link.destination], holding: Array(Set(values)), at: keySlot
    ).mapValues(\.key)
  }

  /// Whether the destination of a relationship may be a later record.
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
  mutating func updates(_ row: Int) throws -> Bool {
    for slot in records.rows.given[row]
    where required.contains(slot) && records.rows.page.tag(row: row, slot: slot) == .null {
      try refuse(row, .missingValue(property: entity.properties[slot].name))
      return false
    }
    result.updatedCount += 1
    return true
  }

  mutating func fill(_ page: RowPage, _ place: Int, with row: Int) throws -> Bool {
    var given = records.rows.given[row]
    for slot in given {
      if required.contains(slot), records.rows.page.tag(row: row, slot: slot) == .null {
        given.remove(slot)
      } else {
        page.copyCell(from: records.rows.page, row: row, to: place, slot: slot)
      }
    }
    if let slot = wanting.first(where: { !given.contains($0) }) {
      try refuse(row, .missingValue(property: entity.properties[slot].name))
      return false
    }
    complete(page, place, given)
    result.insertedCount += 1
    return true
  }

  mutating func refuseRepeated(_ row: Int) throws {
    try refuse(row, .repeatedKey(property: entity.properties[keySlot].name))
  }

  mutating func refuseAmbiguous(_ row: Int, count: Int) throws {
    try refuse(
      row, .ambiguousKey(property: entity.properties[keySlot].name, count: count))
  }
}

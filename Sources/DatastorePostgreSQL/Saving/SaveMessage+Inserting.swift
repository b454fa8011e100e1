#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// New rows.
extension SaveMessage {
  /// - Parameters:
  ///   - open: references that are left out.
  ///   - isLate: whether a reference of a row is left out for now, since the row it leads to comes later.
  mutating func insert(
    _ change: EntityChanges, without open: SlotSet = SlotSet(),
    leavingOut isLate: (_ slot: Slot, _ key: RowKey) -> Bool = { _, _ in false }
  ) throws {
    let entity = change.entity
    let computed = SlotSet(mapping.entities[entity].computedDefaults)
    var rows: [SlotSet: [RowReference]] = [:]
    var kinds: [SlotSet] = []
    for page in change.inserted {
      for row in 0..<page.rowCount where !isSettled(page.key(ofRow: row), of: entity) {
        let absent =
          computed.isEmpty
          ? open : SlotSet(computed.filter { page.tag(row: row, slot: $0) == .null })
        if rows[absent] == nil { kinds.append(absent) }
        rows[absent, default: []].append(RowReference(page, row))
      }
    }
    for kind in kinds {
      for portion in (rows[kind] ?? []).portions(of: Self.portion) {
        try insert(entity, portion, without: kind, leavingOut: isLate)
      }
    }
  }

  private mutating func insert(
    _ entity: EntityIndex, _ rows: ArraySlice<RowReference>, without absent: SlotSet,
    leavingOut isLate: (_ slot: Slot, _ key: RowKey) -> Bool
  ) throws {
    let mapped = mapping.entities[entity]
    let key = SaveKey(mapping, entity)
    let keyNames = Set(key.columns.map(\.name))
    let columns = columns(entity, mapped.slots.indices).filter {
      !absent.contains($0.slot) && !keyNames.contains($0.name)
    }
    let rule =
      !mapping.isNative && !absent.isEmpty || staleness(of: entity, writing: columns)
    var keys = key.makeArrays(capacity: rows.count)
    var arrays = columns.map { $0.form.makeArray(capacity: rows.count) }
    for reference in rows {
      let (page, row) = (reference.page, reference.row)
      let owner = page.key(ofRow: row)
      try append(owner, of: entity, by: key, to: &keys)
      var isExact = !rule
      for (index, column) in columns.enumerated() {
        if !mapping.isNative, page.tag(row: row, slot: column.slot) == .integer,
          isLate(column.slot, page.key(row: row, slot: column.slot))
        {
          arrays[index].appendNull()
          continue
        }
        let isSame = try append(page, row, column, to: &arrays[index], of: entity, owner)
        isExact = isExact && isSame
      }
      if !isExact { markStale(owner, of: entity) }
    }
    var names = key.columns.map { "\(name: $0.name)" as SQLFragment }
    var given = key.values(of: "given")
    if let family = mapped.family {
      names.append("\(name: family.discriminator)")
      given.append("\(literal: mapping.schema.entities[entity].name)")
    }
    names += columns.map { "\(name: $0.name)" }
    given += columns.enumerated().map { $1.value("given.n\(number: $0)", mapping) }
    let parameters = (keys + arrays).map(\.parameter)
    // Keys that the server generates are taken from its sequence beforehand.
    let overriding: SQLFragment =
      tables[entity]?.isAlwaysCounted == true ? " OVERRIDING SYSTEM VALUE" : ""
    let insertion: SQLFragment = """
      INSERT INTO \(table(entity)) (\(names.joined(by: ", ")))\(overriding) \
      SELECT \(given.joined(by: ", ")) \
      FROM unnest(\(self.parameters(parameters.count))) \
      AS given (\(key.names)\(list("n", columns.count)))
      """
    if mapping.isNative { return add(insertion, parameters, entity) }
    // RETURNING a column reads the row, which row security may hide from the program that has written it.
    add(
      """
      WITH written AS (\(insertion) RETURNING \(name: key.columns[0].name)) \
      SELECT 1 / (CASE WHEN count(*) = cardinality($1) THEN 1 ELSE 0 END) FROM written
      """, parameters, entity, asserting: .inserted)
  }
}
#endif

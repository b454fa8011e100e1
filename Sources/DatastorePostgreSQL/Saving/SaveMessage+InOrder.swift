#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Saves for servers that check uniqueness or references with every statement, and not when a transaction
/// ends.
///
/// First, rows that are to change or to be deleted give up their unique values and their references; then
/// come new rows, those that are referred to before those that refer to them; then changes; then deletions,
/// in the reverse order. Rows that refer to each other in a circle are inserted without the reference, and
/// get it afterwards.
extension SaveMessage {
  mutating func writeInOrder(_ changes: ChangeSet) throws {
    var compared: Set<SavedRow> = []
    for change in changes.entities {
      for update in try park(change) {
        compared.insert(SavedRow(entity: change.entity, key: update.key))
      }
    }
    for change in changes.entities { giveUp(change) }
    let order = mapping.insertionOrder(changes.entities)
    let inserted = Set(changes.entities.filter { !$0.inserted.isEmpty }.map(\.entity))
    var written: Set<EntityIndex> = []
    var later: [(EntityChanges, SlotSet)] = []
    for change in order where !change.inserted.isEmpty {
      let open = try openReferences(change.entity, inserted, written)
      try insert(change, without: open)
      if !open.isEmpty { later.append((change, open)) }
      written.insert(change.entity)
    }
    for (change, slots) in later { try refer(change, slots) }
    for change in changes.entities {
      try update(change.entity, change.updated, besides: compared)
    }
    for change in order.reversed() { try delete(change.entity, change.deleted) }
  }

  // References.

  /// Whether a destination is of the family of an entity, or is one of its members.
  func contains(_ entities: Set<EntityIndex>, _ destination: EntityIndex) -> Bool {
    entities.contains {
      mapping.schema.entities[$0].root == mapping.schema.entities[destination].root
    }
  }

  /// References that may lead to rows which do not exist yet, and can wait.
  private func openReferences(
    _ entity: EntityIndex, _ inserted: Set<EntityIndex>, _ written: Set<EntityIndex>
  ) throws -> SlotSet {
    let pending = inserted.subtracting(written)
    return SlotSet(
      mapping.toOnes(of: entity).filter { slot, foreign in
        !mapping.isMandatory(entity, slot) && contains(pending, foreign.destination)
      }.map(\.slot))
  }

  /// Gives new rows the references that they were inserted without.
  private mutating func refer(_ change: EntityChanges, _ slots: SlotSet) throws {
    let columns = columns(change.entity, slots)
    let key = SaveKey(mapping, change.entity)
    for portion in change.inserted.flatMap({ page in (0..<page.rowCount).map { (page, $0) } })
      .portions(of: Self.portion)
    {
      var keys = key.makeArrays(capacity: portion.count)
      var arrays = columns.map { $0.form.makeArray(capacity: portion.count) }
      for (page, row) in portion {
        try append(page.key(ofRow: row), of: change.entity, by: key, to: &keys)
        for (index, column) in columns.enumerated() {
          _ = try append(
            page, row, column, to: &arrays[index], of: change.entity, page.key(ofRow: row))
        }
      }
      let assignments = columns.enumerated().map {
        "\(name: $1.name) = given.n\(number: $0)" as SQLFragment
      }
      add(
        """
        UPDATE \(table(change.entity)) AS stored SET \(assignments.joined(by: ", ")) \
        FROM unnest(\(parameters(columns.count + 1))) \
        AS given (\(key.names)\(list("n", columns.count))) \
        WHERE \(key.isRow("stored", of: "given"))\(key.andIsListed("stored"))
        """, (keys + arrays).map(\.parameter), change.entity)
    }
  }

  // Unique values.

  /// Slots of an entity whose values no other row may have, by themselves or together.
  private func uniqueSlots(_ entity: EntityIndex) -> SlotSet {
    let described = mapping.schema.entities[entity]
    var names = Set(described.description.uniqueness.joined())
    for property in described.properties where property.attribute?.isUnique ?? false {
      names.insert(property.name)
    }
    return SlotSet(names.compactMap { described.slot(named: $0) })
  }

  /// Compares rows that are to get other unique values with the values that were read, and clears the old
  /// values.
  ///
  /// - Returns: the rows that need not be compared again.
  private mutating func park(_ change: EntityChanges) throws -> [RowUpdate] {
    let unique = uniqueSlots(change.entity)
    let parked = change.updated.filter { update in update.slots.contains { unique.contains($0) } }
    if parked.isEmpty { return [] }
    try update(change.entity, parked, parking: unique)
    return parked
  }

  /// Clears the references of rows that are to be deleted, and the values that others are to get.
  private mutating func giveUp(_ change: EntityChanges) {
    let unique = uniqueSlots(change.entity)
    var slots = SlotSet(
      mapping.toOnes(of: change.entity).filter { !mapping.isMandatory(change.entity, $0.slot) }.map(
        \.slot))
    if !change.inserted.isEmpty || !change.updated.isEmpty { slots.formUnion(unique) }
    let assignments = columns(change.entity, slots)
      .filter { !mapping.entities[change.entity].isPlace([$0.name]) }.compactMap {
        parking($0, change.entity)
      }
    let key = SaveKey(mapping, change.entity)
    if assignments.isEmpty { return }
    for portion in change.deleted.map(\.key).sorted().portions(of: Self.portion) {
      add(
        """
        UPDATE \(table(change.entity)) AS stored SET \(assignments.joined(by: ", ")) \
        WHERE \(key.isListed("stored"))
        """, [.int8Array(portion.lazy.map(\.rawValue))], change.entity)
    }
  }

  /// `column = value` with a value that no row has: NULL if the column allows it; nil if there is no such
  /// value.
  func parking(_ column: ServerColumn, _ entity: EntityIndex) -> SQLFragment? {
    let property = mapping.schema.entities[entity].properties[column.slot]
    let isOptional = property.attribute?.isOptional ?? !mapping.isMandatory(entity, column.slot)
    // The rows of some entities of a family have a value in such a column only by a rule.
    if isOptional { return "\(name: column.name) = NULL" }
    // As distinct as keys are, and far from usual values.
    let key: SQLFragment
    if case .rowid(let name) = mapping.entities[entity].key {
      key = "stored.\(name: name)"
    } else {
      key = "(random() * 16000)::int8"
    }
    let value: SQLFragment
    let isSpread = mapping.entities[entity].distribution?.isSpread ?? false
    switch column.form.element {
    // Several machines refuse a value that each would compute differently.
    case .text: value = isSpread ? "md5(\(key)::text)" : "gen_random_uuid()::text"
    case .uuid: value = isSpread ? "md5(\(key)::text)::uuid" : "gen_random_uuid()"
    case .bytea:
      value = isSpread ? "decode(md5(\(key)::text), 'hex')" : "uuid_send(gen_random_uuid())"
    case .int8: value = "-4611686018427387904 - \(key)"
    case .int4: value = "-1073741824 - (\(key) % 1073741824)::int4"
    case .int2: value = "-16384 - (\(key) % 16384)::int2"
    case .numeric: value = "-1e30 - \(key)"
    case .float8: value = "-1e300 * (1 + random())"
    case .float4: value = "-1e30 * (1 + random())::float4"
    case .timestamptz:
      value = "timestamptz '4000-01-01 00:00:00+00 BC' + random() * interval '500 years'"
    default: return nil
    }
    return "\(name: column.name) = \(value)"
  }
}
#endif

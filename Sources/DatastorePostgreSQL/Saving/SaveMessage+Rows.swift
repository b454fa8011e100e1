#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// Comparing, changing and deleting rows.
extension SaveMessage {
  /// Compares rows that are to be deleted with the values that were read. A missing row is no conflict.
  mutating func compare(_ entity: EntityIndex, _ deleted: [RowDeletion]) throws {
    for seen in try seenRows(entity, deleted) {
      let differs: SQLFragment = "NOT (\(seen.isSame)) AS differs"
      var locked: SQLFragment = """
        SELECT \(differs) FROM \(table(entity)) AS stored JOIN \(seen.rows) ON \(seen.isRow) \
        FOR UPDATE OF stored
        """
      if let column = mapping.lockingColumn(entity, tables) {
        locked = """
          UPDATE \(table(entity)) AS stored SET \(name: column) = stored.\(name: column) \
          FROM \(seen.rows) WHERE \(seen.isRow) RETURNING \(differs)
          """
      }
      add(
        """
        WITH compared AS (\(locked)) \
        SELECT 1 / (CASE WHEN bool_or(differs) THEN 0 ELSE 1 END) FROM compared
        """, seen.parameters, entity, asserting: .unchanged)
    }
  }

  /// Whether rows that are to be deleted are compared by the statement that deletes them, which saves the
  /// server the locks of a statement before it: not where the deletion of other rows has emptied their
  /// references by then, and not where the server is asked for locks in a way of its own.
  func comparesWhileDeleting(_ entity: EntityIndex) -> Bool {
    guard mapping.lockingColumn(entity, tables) == nil else { return false }
    let entities = mapping.schema.entities
    let roots = Set(
      changes.entities.lazy.filter { !$0.deleted.isEmpty }.map { entities[$0.entity].root })
    let described = entities[entity]
    return !described.relationshipSlots.contains { slot in
      guard let link = described.links[slot], link.inverseSlot == nil else { return false }
      return roots.contains(entities[link.destination].root)
    }
  }

  /// Divides by zero unless as many rows were written as there are keys.
  private static let allAreWritten: SQLFragment =
    "SELECT 1 / (CASE WHEN count(*) = cardinality($1) THEN 1 ELSE 0 END) FROM written"

  /// Rows that are to be deleted, as they were read.
  private struct SeenRows {
    /// The rows, called `seen`, from arrays.
    let rows: SQLFragment
    /// Whether a row, called `stored`, is one of them, and still has its values.
    let isRow, isSame: SQLFragment
    let parameters: [PostgreSQLParameter]
  }

  private func isCompared(_ deletion: RowDeletion, of entity: EntityIndex) -> Bool {
    deletion.original != nil && !isSettled(deletion.key, of: entity)
  }

  /// The rows that are to be compared, in portions; empty if none is, or if there are no values.
  private func seenRows(
    _ entity: EntityIndex, _ deleted: [RowDeletion]
  ) throws -> [SeenRows] {
    let seen = deleted.filter { isCompared($0, of: entity) }
    let columns = storedColumns(entity)
    if seen.isEmpty || columns.isEmpty { return [] }
    let key = SaveKey(mapping, entity)
    return try seen.sorted { $0.key < $1.key }.portions(of: Self.portion).map { portion in
      var keys = key.makeArrays(capacity: portion.count)
      var arrays = columns.map { $0.form.makeArray(capacity: portion.count) }
      for deletion in portion {
        guard let page = deletion.original else { continue }
        try append(deletion.key, of: entity, by: key, to: &keys)
        for (index, column) in columns.enumerated() {
          _ = try append(
            page, deletion.originalRow, column, to: &arrays[index], of: entity, deletion.key)
        }
      }
      let same = columns.enumerated().map { index, column in
        isSame(column, "seen.o\(number: index)", of: entity)
      }
      return SeenRows(
        rows: """
          unnest(\(parameters(keys.count + columns.count))) \
          AS seen (\(key.names)\(list("o", columns.count)))
          """,
        isRow: "\(key.isRow("stored", of: "seen"))\(key.andIsListed("stored"))",
        isSame: same.joined(by: " AND "), parameters: (keys + arrays).map(\.parameter))
    }
  }

  private struct UpdateKind: Hashable {
    let slots: SlotSet
    let overwrites: Bool
    let isRowGone: Bool
  }

  /// - Parameters:
  ///   - compared: rows that were compared before.
  ///   - parked: slots whose values are compared and cleared, instead of being written; nil to write.
  mutating func update(
    _ entity: EntityIndex, _ updated: [RowUpdate], besides compared: Set<SavedRow> = [],
    parking parked: SlotSet? = nil
  ) throws {
    var kinds: [UpdateKind] = []
    var updates: [UpdateKind: [RowUpdate]] = [:]
    for update in updated {
      let isSettled =
        isSettled(update.key, of: entity)
        || compared.contains(SavedRow(entity: entity, key: update.key))
      let kind = UpdateKind(
        slots: update.slots, overwrites: update.overwrites || isSettled,
        isRowGone: update.isRowGone && !isSettled)
      if updates[kind] == nil { kinds.append(kind) }
      updates[kind, default: []].append(update)
    }
    for kind in kinds {
      let rows = (updates[kind] ?? []).sorted { $0.key < $1.key }
      for portion in rows.portions(of: Self.portion) {
        try update(entity, kind, Array(portion), parking: parked)
      }
    }
  }

  private mutating func update(
    _ entity: EntityIndex, _ kind: UpdateKind, _ updates: [RowUpdate], parking parked: SlotSet?
  ) throws {
    try mapping.requireUndistributed(kind.slots, of: entity, updates.first?.key)
    let new = columns(entity, kind.slots)
    if new.isEmpty { return }
    let compared: [ServerColumn]
    if kind.overwrites {
      compared = []
    } else {
      compared = kind.isRowGone ? storedColumns(entity) : new
    }
    let rule = staleness(of: entity, writing: new)
    let key = SaveKey(mapping, entity)
    var keys = key.makeArrays(capacity: updates.count)
    var values = (new + compared).map { $0.form.makeArray(capacity: updates.count) }
    for update in updates {
      try append(update.key, of: entity, by: key, to: &keys)
      var isExact = !rule
      for (index, column) in new.enumerated() {
        let isSame = try append(
          update.page, update.row, column, to: &values[index], of: entity, update.key)
        isExact = isExact && isSame
      }
      for (index, column) in compared.enumerated() {
        _ = try append(
          update.original, update.originalRow, column, to: &values[new.count + index], of: entity,
          update.key)
      }
      if !isExact, parked == nil { markStale(update.key, of: entity) }
    }
    var assignments = new.enumerated().map { index, column in
      "\(name: column.name) = \(column.value("given.n\(number: index)", mapping))" as SQLFragment
    }
    if let parked {
      assignments = new.filter { parked.contains($0.slot) }.compactMap { parking($0, entity) }
      // If there is no substitute value, the row keeps its value.
      if assignments.isEmpty {
        assignments = ["\(name: new[0].name) = stored.\(name: new[0].name)"]
      }
    }
    let conditions = compared.enumerated().map { index, column in
      " AND \(isSame(column, "given.o\(number: index)", of: entity))" as SQLFragment
    }
    add(
      """
      WITH written AS (UPDATE \(table(entity)) AS stored \
      SET \(assignments.joined(by: ", ")) \
      FROM unnest(\(parameters(keys.count + values.count))) \
      AS given (\(key.names)\(list("n", new.count))\(list("o", compared.count))) \
      WHERE \(key.isRow("stored", of: "given"))\(key.andIsListed("stored"))\
      \(conditions.joined(by: "")) RETURNING 1) \(Self.allAreWritten)
      """, (keys + values).map(\.parameter), entity, asserting: .unchanged)
  }

  /// - Parameter compares: whether nothing is saved if a row has changed since it was read, or has gone.
  mutating func delete(
    _ entity: EntityIndex, _ deleted: [RowDeletion], comparing compares: Bool = false
  ) throws {
    let seen = try compares ? seenRows(entity, deleted) : []
    for seen in seen {
      add(
        """
        WITH written AS (DELETE FROM \(table(entity)) AS stored USING \(seen.rows) \
        WHERE \(seen.isRow) AND \(seen.isSame) RETURNING 1) \(Self.allAreWritten)
        """, seen.parameters, entity, asserting: .unchanged)
    }
    let deleted = seen.isEmpty ? deleted : deleted.filter { !isCompared($0, of: entity) }
    let key = SaveKey(mapping, entity)
    for portion in deleted.map(\.key).sorted().portions(of: Self.portion) {
      var keys = key.makeArrays(capacity: portion.count)
      for deletion in portion { try append(deletion, of: entity, by: key, to: &keys) }
      add(
        "DELETE FROM \(table(entity)) AS stored WHERE \(key.isListed("stored"))",
        keys.map(\.parameter), entity)
      if mapping.isNative { continue }
      // A trigger may keep a row, and so may row security, and neither is an error to the server.
      add(
        """
        SELECT 1 / (CASE WHEN count(*) > 0 THEN 0 ELSE 1 END) FROM \(table(entity)) AS stored \
        WHERE \(key.isListed("stored"))
        """, keys.map(\.parameter), entity, asserting: .gone)
    }
  }

  /// Whether rows have to be read again whatever is written: the server, or a trigger, writes something as
  /// well.
  func staleness(of entity: EntityIndex, writing columns: [ServerColumn]) -> Bool {
    guard let table = tables[entity] else { return false }
    if table.hasTriggers || columns.contains(where: { !$0.form.isExact }) { return true }
    return mapping.entities[entity].slots.contains(where: \.isComputed)
  }
}
#endif

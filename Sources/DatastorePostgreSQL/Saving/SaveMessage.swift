#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Foundation

/// A save as one message to the server: a list of statements, made without asking it anything.
///
/// The order is: the record of the save, comparisons of rows to be deleted, updates, deletions, insertions, links,
/// orders. Updates come before deletions, which empty the references that lead to what is deleted: an update would not
/// find what its edit began from. Uniqueness and references are looked at when the transaction ends, so that the
/// order means nothing to them.
///
/// Each statement carries the rows of one kind as arrays, a column each, and compares what the rows hold with what the
/// edits began from. Where that differs it divides by zero, which ends the transaction and all that follows in the
/// message: nothing has to be waited for before `COMMIT` is sent.
struct SaveMessage {
  let mapping: SchemaMapping
  private(set) var steps: [SaveStep] = []
  /// Rows that hold something else than what was sent, as dates with finer digits than the server's.
  private(set) var stale: [EntityIndex: [RowKey]] = [:]

  /// Rows of one statement.
  static let portion = 10_000

  /// - Parameter settled: rows whose stored values were seen to be as good as those that the edits began from.
  /// - Throws: `StoreError` for a value that cannot be stored.
  init(_ changes: ChangeSet, _ mapping: SchemaMapping, settled: Set<SettledRow>) throws {
    self.mapping = mapping
    for change in changes.entities {
      guard !mapping.schema.entities[change.entity].isReadOnly else {
        throw StoreError.readOnlyEntity(mapping.schema.entities[change.entity].name)
      }
      try compare(change, settled)
    }
    for change in changes.entities { try update(change, settled) }
    for change in changes.entities { delete(change) }
    for change in changes.entities { try insert(change) }
    for links in changes.links { write(links) }
    for order in changes.orders { write(order) }
  }

  /// A row of the save.
  struct SettledRow: Hashable {
    let entity: EntityIndex
    let key: RowKey
  }

  mutating func add(
    _ fragment: SQLFragment, _ parameters: [PostgreSQLParameter], _ entity: EntityIndex?,
    isAssertion: Bool = false
  ) {
    // There is nothing in these statements that a dialect could refuse.
    let text = fragment.rendered(in: mapping.dialect).text
    steps.append(
      SaveStep(
        statement: PostgreSQLStatement(text, parameters, isKept: true), entity: entity,
        isAssertion: isAssertion))
  }

  func keyColumn(_ entity: EntityIndex) -> SQLFragment {
    guard case .rowid(let name) = mapping.entities[entity].key else {
      preconditionFailure("tables of our own have integer keys")
    }
    return "\(name: name)"
  }

  func table(_ entity: EntityIndex) -> SQLFragment {
    "\(name: mapping.entities[entity].table)"
  }

  private func columns(_ entity: EntityIndex, _ slots: some Sequence<Slot>) -> [ServerColumn] {
    slots.compactMap { ServerColumn(mapping, entity, $0) }
  }

  /// Puts a cell into an array, or says which object it is that cannot be saved.
  private mutating func append(
    _ page: RowPage, _ row: Int, _ column: ServerColumn, to array: inout PostgreSQLArray,
    of entity: EntityIndex, _ key: RowKey
  ) throws -> Bool {
    do {
      return try column.append(page, row, to: &array)
    } catch {
      let described = mapping.schema.entities[entity]
      throw StoreError.refused(
        entity: described.name, key: key,
        detail: "its “\(described.properties[column.slot].name)” \(error.detail)")
    }
  }

  /// Compares rows that are to be deleted with what was seen of them. Rows that are gone are as they should be.
  private mutating func compare(_ change: EntityChanges, _ settled: Set<SettledRow>) throws {
    let seen = change.deleted.filter {
      $0.original != nil && !settled.contains(SettledRow(entity: change.entity, key: $0.key))
    }
    let columns = columns(change.entity, mapping.entities[change.entity].slots.indices)
    if columns.isEmpty { return }
    for portion in seen.sorted(by: { $0.key < $1.key }).portions(of: Self.portion) {
      var keys = PostgreSQLArray(of: .int8, capacity: portion.count)
      var arrays = columns.map { PostgreSQLArray(of: $0.type, capacity: portion.count) }
      for deletion in portion {
        guard let page = deletion.original else { continue }
        keys.append(deletion.key.rawValue)
        for (index, column) in columns.enumerated() {
          _ = try append(
            page, deletion.originalRow, column, to: &arrays[index], of: change.entity, deletion.key)
        }
      }
      let names = columns.map { "stored.\(name: $0.name)" as SQLFragment }.joined(by: ", ")
      let seen = columns.indices.map { "seen.o\(number: $0)" as SQLFragment }.joined(by: ", ")
      let key = keyColumn(change.entity)
      add(
        """
        WITH compared AS (SELECT ROW(\(names)) IS DISTINCT FROM ROW(\(seen)) AS differs \
        FROM \(table(change.entity)) AS stored \
        JOIN unnest(\(parameters(columns.count + 1))) AS seen (k\(list("o", columns.count))) \
        ON stored.\(key) = seen.k \
        WHERE stored.\(key) = ANY($1) FOR UPDATE OF stored) \
        SELECT 1 / (CASE WHEN bool_or(differs) THEN 0 ELSE 1 END) FROM compared
        """, [keys.parameter] + arrays.map(\.parameter), change.entity, isAssertion: true)
    }
  }

  private struct UpdateKind: Hashable {
    let slots: SlotSet
    let overwrites: Bool
    let isRowGone: Bool
  }

  private mutating func update(_ change: EntityChanges, _ settled: Set<SettledRow>) throws {
    var kinds: [UpdateKind] = []
    var updates: [UpdateKind: [RowUpdate]] = [:]
    for update in change.updated {
      let isSettled = settled.contains(SettledRow(entity: change.entity, key: update.key))
      let kind = UpdateKind(
        slots: update.slots, overwrites: update.overwrites || isSettled,
        isRowGone: update.isRowGone && !isSettled)
      if updates[kind] == nil { kinds.append(kind) }
      updates[kind, default: []].append(update)
    }
    for kind in kinds {
      let rows = (updates[kind] ?? []).sorted { $0.key < $1.key }
      for portion in rows.portions(of: Self.portion) {
        try update(change.entity, kind, Array(portion))
      }
    }
  }

  private mutating func update(
    _ entity: EntityIndex, _ kind: UpdateKind, _ updates: [RowUpdate]
  ) throws {
    let new = columns(entity, kind.slots)
    if new.isEmpty { return }
    let compared: [ServerColumn]
    if kind.overwrites {
      compared = []
    } else if kind.isRowGone {
      compared = columns(entity, mapping.entities[entity].slots.indices)
    } else {
      compared = new
    }
    var keys = PostgreSQLArray(of: .int8, capacity: updates.count)
    var values = (new + compared).map { PostgreSQLArray(of: $0.type, capacity: updates.count) }
    for update in updates {
      keys.append(update.key.rawValue)
      var isExact = true
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
      if !isExact { stale[entity, default: []].append(update.key) }
    }
    let key = keyColumn(entity)
    let assignments = new.enumerated().map {
      "\(name: $1.name) = given.n\(number: $0)" as SQLFragment
    }
    let conditions = compared.enumerated().map {
      " AND stored.\(name: $1.name) IS NOT DISTINCT FROM given.o\(number: $0)" as SQLFragment
    }
    // That keys are in the array says nothing new, but lets partitions and shards leave out what they do not have.
    add(
      """
      WITH written AS (UPDATE \(table(entity)) AS stored \
      SET \(assignments.joined(by: ", ")) \
      FROM unnest(\(parameters(values.count + 1))) \
      AS given (k\(list("n", new.count))\(list("o", compared.count))) \
      WHERE stored.\(key) = given.k AND stored.\(key) = ANY($1)\(conditions.joined(by: "")) \
      RETURNING 1) \
      SELECT 1 / (CASE WHEN count(*) = cardinality($1) THEN 1 ELSE 0 END) FROM written
      """, [keys.parameter] + values.map(\.parameter), entity, isAssertion: true)
  }

  private mutating func delete(_ change: EntityChanges) {
    let keys = change.deleted.map(\.key).sorted()
    for portion in keys.portions(of: Self.portion) {
      add(
        "DELETE FROM \(table(change.entity)) WHERE \(keyColumn(change.entity)) = ANY($1)",
        [.int8Array(portion.lazy.map(\.rawValue))], change.entity)
    }
  }

  private mutating func insert(_ change: EntityChanges) throws {
    let entity = change.entity
    let mapped = mapping.entities[entity]
    let columns = columns(entity, mapped.slots.indices)
    var names = [keyColumn(entity)]
    var given: [SQLFragment] = ["given.k"]
    if let family = mapped.family {
      names.append("\(name: family.discriminator)")
      given.append("\(literal: mapping.schema.entities[entity].name)")
    }
    names += columns.map { "\(name: $0.name)" }
    given += columns.indices.map { "given.n\(number: $0)" }
    let sql: SQLFragment = """
      INSERT INTO \(table(entity)) (\(names.joined(by: ", "))) \
      SELECT \(given.joined(by: ", ")) \
      FROM unnest(\(parameters(columns.count + 1))) AS given (k\(list("n", columns.count)))
      """
    var keys = PostgreSQLArray(of: .int8)
    var arrays = columns.map { PostgreSQLArray(of: $0.type) }
    for page in change.inserted {
      for row in 0..<page.rowCount {
        let key = page.key(ofRow: row)
        keys.append(key.rawValue)
        var isExact = true
        for (index, column) in columns.enumerated() {
          let isSame = try append(page, row, column, to: &arrays[index], of: entity, key)
          isExact = isExact && isSame
        }
        if !isExact { stale[entity, default: []].append(key) }
      }
      if keys.count >= Self.portion {
        add(sql, [keys.parameter] + arrays.map(\.parameter), entity)
        keys = PostgreSQLArray(of: .int8)
        arrays = columns.map { PostgreSQLArray(of: $0.type) }
      }
    }
    if keys.count > 0 { add(sql, [keys.parameter] + arrays.map(\.parameter), entity) }
  }

  /// `$1, $2, …`.
  private func parameters(_ count: Int) -> SQLFragment {
    SQLFragment(stringLiteral: (1...count).map { "$\($0)" }.joined(separator: ", "))
  }

  /// `, n0, n1, …`: names of columns.
  private func list(_ letter: String, _ count: Int) -> SQLFragment {
    SQLFragment(stringLiteral: (0..<count).map { ", \(letter)\($0)" }.joined())
  }
}

extension Array {
  /// Its elements in order, at most so many at a time.
  func portions(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
#endif

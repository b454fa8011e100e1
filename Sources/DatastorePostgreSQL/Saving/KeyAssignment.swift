#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL
import Foundation

/// Decides the keys of new rows in tables of others, before anything refers to them.
struct KeyAssignment {
  private let store: PostgreSQLStore
  private let changes: ChangeSet
  /// Where new rows are that others refer to by columns that are not their key.
  private var inserted: [Row: RowReference] = [:]
  private var mapping: SchemaMapping { store.mapping }
  /// Keys that rows get instead of those that the changes call them by, by root entity.
  private(set) var rekeyed: [EntityIndex: [RowKey: RowKey]] = [:]
  /// Values that stand for columns of keys for which nobody has given one.
  private var defaults: [DefaultPlace: Value] = [:]

  fileprivate struct Row: Hashable {
    let entity: EntityIndex
    let key: RowKey
  }

  private struct DefaultPlace: Hashable {
    let row: Row
    let column: String
  }

  init(_ store: PostgreSQLStore, _ changes: ChangeSet) {
    self.store = store
    self.changes = changes
  }

  /// - Throws: `StoreError.missingValue` for a row without a key; `PostgreSQLFailure`.
  mutating func run() throws {
    if mapping.isNative { return }
    var waiting: [(entity: EntityIndex, reference: RowReference)] = []
    for change in changes.entities where !change.inserted.isEmpty {
      let mapped = mapping.entities[change.entity]
      for page in change.inserted {
        for row in 0..<page.rowCount {
          switch mapped.key {
          case .rowid:
            guard let slot = mapped.keySlot, page.tag(row: row, slot: slot) == .integer else {
              continue
            }
            let (key, given) = (page.key(ofRow: row), page.key(row: row, slot: slot))
            if given != key { rekeyed[change.entity, default: [:]][key] = given }
          case .columns: waiting.append((change.entity, RowReference(page, row)))
          case .wholeRow: continue
          }
        }
      }
    }
    if waiting.isEmpty { return }
    noteInserted()
    try findDefaults(waiting)
    try assign(waiting)
  }

  private mutating func noteInserted() {
    let referred = Set(
      changes.entities.flatMap { mapping.toOnes(of: $0.entity) }.compactMap { _, foreign in
        if case .columns = foreign.reference { return foreign.destination }
        return nil
      })
    for change in changes.entities where referred.contains(change.entity) {
      for page in change.inserted {
        for row in 0..<page.rowCount {
          inserted[Row(entity: change.entity, key: page.key(ofRow: row))] = RowReference(page, row)
        }
      }
    }
  }

  /// Keys may hold keys of other new rows, so this goes round until nothing new is known.
  private mutating func assign(
    _ rows: [(entity: EntityIndex, reference: RowReference)]
  ) throws {
    var waiting = rows
    while !waiting.isEmpty {
      let unassigned = Set(waiting.map { Row($0.entity, $0.reference) })
      var left: [(entity: EntityIndex, reference: RowReference)] = []
      for (entity, reference) in waiting {
        let row = Row(entity, reference)
        guard let values = keyValues(row, reference, unassigned) else {
          left.append((entity, reference))
          continue
        }
        let number = mapping.keyTables[entity].assign(values, to: row.key)
        if number != row.key { rekeyed[entity, default: [:]][row.key] = number }
      }
      if left.count == waiting.count {
        let (entity, reference) = left[0]
        throw StoreError.missingValue(
          entity: mapping.schema.entities[entity].name, property: "primary key",
          key: reference.page.key(ofRow: reference.row))
      }
      waiting = left
    }
  }

  /// The key of a row that is about to be inserted; nil while it is not known.
  private func keyValues(
    _ row: Row, _ reference: RowReference, _ unassigned: Set<Row>
  ) -> [Value]? {
    guard case .columns(let names) = mapping.entities[row.entity].key else { return nil }
    var values: [Value] = []
    for name in names {
      let place = DefaultPlace(row: row, column: name)
      guard let value = defaults[place] ?? value(of: name, row.entity, reference, unassigned)
      else { return nil }
      values.append(value)
    }
    return values
  }

  private func value(
    of column: String, _ entity: EntityIndex, _ reference: RowReference, _ unassigned: Set<Row>
  ) -> Value? {
    let (page, row) = (reference.page, reference.row)
    for (slot, place) in mapping.entities[entity].slots.placed {
      switch place {
      case .attribute(let attribute) where attribute.name.isExactly(column):
        let value = page.value(row: row, slot: slot)
        return value.isNull ? nil : value
      case .toOne(let foreign):
        guard foreign.isWritable, let index = foreign.names.firstIndex(of: column),
          page.tag(row: row, slot: slot) == .integer
        else { continue }
        let target = Row(entity: foreign.destination, key: page.key(row: row, slot: slot))
        if unassigned.contains(target) { return nil }
        let key = rekeyed[target.entity]?[target.key] ?? target.key
        switch foreign.reference {
        case .rowid: return .key(key)
        case .primaryKey: return mapping.keyTables[target.entity].values(of: key)?[index]
        case .columns(let names): return referred(names[index], target, key, unassigned)
        }
      default: continue
      }
    }
    return nil
  }

  /// What a row that is new, too, or a stored one holds in a column that is referred to.
  private func referred(
    _ column: String, _ target: Row, _ key: RowKey, _ unassigned: Set<Row>
  ) -> Value? {
    if let new = inserted[target] {
      if let value = value(of: column, target.entity, new, unassigned) { return value }
      return isKey(column, of: target.entity) ? .key(key) : nil
    }
    guard let pages = try? store.rows(entity: target.entity, keys: [key]) else { return nil }
    let entity = mapping.schema.entities[target.entity]
    return try? mapping.columnValues(column, of: entity, in: pages, from: store)[key]
  }

  private func isKey(_ column: String, of entity: EntityIndex) -> Bool {
    if case .rowid(let key) = mapping.entities[entity].key { return key.isExactly(column) }
    return false
  }

  /// Asks the server for the defaults of columns of keys for which nobody has given a value: UUIDs, numbers.
  private mutating func findDefaults(
    _ rows: [(entity: EntityIndex, reference: RowReference)]
  ) throws {
    var places: [EntityIndex: [String: [DefaultPlace]]] = [:]
    for (entity, reference) in rows {
      guard case .columns(let names) = mapping.entities[entity].key,
        let table = store.tables[entity]
      else { continue }
      let row = Row(entity, reference)
      for name in names
      where table.defaultExpression(of: name) != nil
        && value(of: name, entity, reference, []) == nil
      {
        places[entity, default: [:]][name, default: []].append(
          DefaultPlace(row: row, column: name))
      }
    }
    for (entity, columns) in places {
      for (name, places) in columns {
        guard let expression = store.tables[entity]?.defaultExpression(of: name) else { continue }
        let result = try store.connect { connection in
          try connection.run(
            PostgreSQLStatement(
              "SELECT \(expression) FROM generate_series(1, $1::int8)",
              [.int8(Int64(places.count))]))
        }
        for (index, place) in places.enumerated() {
          let value = result.value(index, 0)
          if !value.isNull { defaults[place] = value }
        }
      }
    }
  }
}

extension KeyAssignment.Row {
  fileprivate init(_ entity: EntityIndex, _ reference: RowReference) {
    self.init(entity: entity, key: reference.page.key(ofRow: reference.row))
  }
}
#endif

#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// Decides the keys of new rows in third-party tables, before anything refers to them.
struct KeyAssignment {
  private let store: PostgreSQLStore
  private let changes: ChangeSet
  /// Keys that rows get instead of their keys in the changes, by root entity.
  private(set) var rekeyed: [EntityIndex: [RowKey: RowKey]] = [:]

  init(_ store: PostgreSQLStore, _ changes: ChangeSet) {
    self.store = store
    self.changes = changes
  }

  /// - Throws: `StoreError.missingValue` for a row without a key; `PostgreSQLFailure`.
  mutating func run() throws {
    if store.mapping.isNative { return }
    for change in changes.entities {
      guard case .rowid = store.mapping.entities[change.entity].key,
        let slot = store.mapping.entities[change.entity].keySlot
      else { continue }
      for page in change.inserted {
        for row in 0..<page.rowCount where page.tag(row: row, slot: slot) == .integer {
          let (key, given) = (page.key(ofRow: row), page.key(row: row, slot: slot))
          if given != key { rekeyed[change.entity, default: [:]][key] = given }
        }
      }
    }
    var assignment = ColumnKeyAssignment(changes, store.mapping, rekeyed: rekeyed)
    let stored = StoredColumns(store: store)
    try findDefaults(for: &assignment, stored)
    try assignment.run(stored)
    rekeyed = assignment.rekeyed
  }

  /// Asks the server for the defaults of key columns that have no value: UUIDs, numbers.
  private func findDefaults(
    for assignment: inout ColumnKeyAssignment, _ stored: StoredColumns
  ) throws {
    var places: [String: [ColumnKeyAssignment.Part]] = [:]
    for part in assignment.missingParts(stored) {
      guard
        let expression = store.tables[part.row.entity]?.defaultExpression(of: part.column)
      else { continue }
      places[expression, default: []].append(part)
    }
    for (expression, parts) in places {
      let result = try store.connect { connection in
        try connection.run(
          PostgreSQLStatement(
            "SELECT \(expression) FROM generate_series(1, $1::int8)", [.int8(Int64(parts.count))]))
      }
      for (index, part) in parts.enumerated() {
        let value = result.value(index, 0)
        if !value.isNull { assignment.defaults[part] = value }
      }
    }
  }
}

/// The stored values that keys are made of, read from the server.
private struct StoredColumns: ReferredValues {
  let store: PostgreSQLStore

  func stored(_ value: Value, in column: Column) -> Value { value }

  func value(of column: String, in entity: EntityIndex, _ key: RowKey) -> Value? {
    guard let pages = try? store.rows(entity: entity, keys: [key]) else { return nil }
    let described = store.mapping.schema.entities[entity]
    return try? store.mapping.columnValues(column, of: described, in: pages, from: store)[key]
  }
}
#endif

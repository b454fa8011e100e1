import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

extension SaveTransaction {
  /// Determines the keys of inserted rows, before anything refers to them.
  func assignKeys() throws {
    for change in changes.entities where !change.inserted.isEmpty {
      if case .rowid(let key) = mapping.entities[change.entity].key {
        try assignRowids(change, key)
      }
    }
    try assignInternedKeys()
  }

  private func assignRowids(_ change: EntityChanges, _ column: String) throws {
    let mapped = mapping.entities[change.entity]
    let root = mapping.schema.entities[change.entity].root
    let greatest =
      try RawStatement("SELECT max(\(name: column)) FROM \(name: mapped.table)", in: database)
      .firstInteger().map(RowKey.init(_:)) ?? RowKey(.min)
    var lookup: RawStatement?
    /// Whether another process has used the key since it was made.
    func isTaken(_ key: RowKey) throws -> Bool {
      if key > greatest { return false }
      let statement =
        try lookup
        ?? RawStatement(
          "SELECT 1 FROM \(name: mapped.table) WHERE \(name: column) = ?1", in: database)
      lookup = statement
      statement.bind(key, at: 1)
      return try statement.firstInteger() != nil
    }
    for page in change.inserted {
      for row in 0..<page.rowCount {
        let key = page.key(ofRow: row)
        if let slot = mapped.keySlot, page.tag(row: row, slot: slot) == .integer {
          let given = page.key(row: row, slot: slot)
          guard given != key else { continue }
          rekeyed[root, default: [:]][key] = given
          if try isTaken(key) { taken[root, default: []].append(key) }
        } else if try isTaken(key) {
          rekeyed[root, default: [:]][key] = try store.makeKey(
            entity: change.entity, in: database)
          taken[root, default: []].append(key)
        }
      }
    }
  }

  /// Assigns numbers to the keys of inserted rows that consist of columns.
  private func assignInternedKeys() throws {
    var assignment = ColumnKeyAssignment(changes, mapping, rekeyed: rekeyed)
    try assignment.run(StoredColumns(mapping: mapping, database: database))
    rekeyed = assignment.rekeyed
  }
}

/// The file's values of keys.
private struct StoredColumns: ReferredValues {
  let mapping: SchemaMapping
  let database: Database

  func stored(_ value: Value, in column: DatastoreSQL.Column) -> Value {
    column.affinity.converted(value)
  }

  func value(of column: String, in entity: EntityIndex, _ key: RowKey) -> Value? {
    let values = QueryBuilder(mapping).referencedValues(entity, .columns([column]), key: "?1")
    guard let statement = try? RawStatement("SELECT \(values[0])", in: database) else {
      return nil
    }
    statement.bind(key, at: 1)
    guard (try? statement.step()) == true else { return nil }
    let value = statement.value(at: 0)
    return value.isNull ? nil : value
  }
}

package import DatastoreCore
import DatastoreSQL

/// How the properties of an entity are stored, for those who write rows elsewhere.
extension SQLiteStore {
  package func storedColumns(of slot: Slot, in entity: Entity) -> [AnswerColumn] {
    mapping.storedColumns(of: slot, in: entity)
  }

  package func keyColumn(of entity: Entity) -> AnswerColumn? {
    mapping.keyColumn(of: entity)
  }

  /// What the columns of a to-one relationship hold for the rows with those keys, by key; nil when
  /// that is the key itself. Keys of rows that are not there stand for what is stored.
  ///
  /// - Throws: `StoreError`.
  package func referenceValues(
    of slot: Slot, in entity: Entity, keys: [RowKey]
  ) throws -> [RowKey: [Value]]? {
    guard case .toOne(let foreign) = mapping.entities[entity.index].slots[slot] else {
      preconditionFailure("only to-one relationships are stored as references")
    }
    let destination = foreign.destination
    var values: [RowKey: [Value]] = [:]
    for key in keys where DanglingKey.isOne(key) {
      values[key] = mapping.keyTables.dangling.values(of: key)
    }
    let keys = keys.filter { !DanglingKey.isOne($0) }
    switch foreign.reference {
    case .rowid:
      if values.isEmpty { return nil }
      for key in keys { values[key] = [.key(key)] }
    case .primaryKey:
      for key in keys { values[key] = mapping.keyTables[destination].values(of: key) }
    case .columns(let names):
      let places = names.map { name in
        mapping.entities[destination].slots.firstIndex { slot in
          if case .attribute(let column) = slot { column.name == name } else { false }
        }
      }
      for page in try rows(entity: destination, keys: keys) {
        for row in 0..<page.rowCount {
          values[page.key(ofRow: row)] = places.map { place in
            place.map { page.value(row: row, slot: $0) } ?? .null
          }
        }
      }
    }
    return values
  }
}

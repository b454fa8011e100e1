import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

extension SaveTransaction {
  /// Decides the keys of inserted rows, before anything refers to them.
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
    /// Whether another process has taken the key since it was made.
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

  /// Binds numbers to the key values of inserted rows. Keys may hold keys of other inserted rows,
  /// so this goes round until nothing new is known.
  private func assignInternedKeys() throws {
    var waiting: [(entity: EntityIndex, page: RowPage, row: Int)] = []
    for change in changes.entities {
      guard case .columns = mapping.entities[change.entity].key else { continue }
      for page in change.inserted {
        waiting += (0..<page.rowCount).map { (change.entity, page, $0) }
      }
    }
    if waiting.isEmpty { return }
    noteReferredRows()
    while !waiting.isEmpty {
      let before = waiting.count
      var unassigned = Set(
        waiting.map { PendingKey(entity: $0.entity, key: $0.page.key(ofRow: $0.row)) })
      waiting.removeAll { entity, page, row in
        guard let values = keyValues(entity, page, row, unassigned) else { return false }
        let key = page.key(ofRow: row)
        unassigned.remove(PendingKey(entity: entity, key: key))
        let number = mapping.keyTables[entity].assign(values, to: key)
        if number != key { rekeyed[entity, default: [:]][key] = number }
        return true
      }
      if waiting.count == before {
        let (entity, page, row) = waiting[0]
        throw StoreError.missingValue(
          entity: mapping.schema.entities[entity].name,
          property: "primary key", key: page.key(ofRow: row))
      }
    }
  }

  struct PendingKey: Hashable {
    let entity: EntityIndex
    let key: RowKey
  }

  /// Notes new rows that others refer to by columns that are not their key.
  private func noteReferredRows() {
    let referred = Set(
      changes.entities.flatMap { mapping.toOnes(of: $0.entity) }.compactMap { _, foreign in
        if case .columns = foreign.reference { return foreign.destination }
        return nil
      })
    for change in changes.entities where referred.contains(change.entity) {
      for page in change.inserted {
        for row in 0..<page.rowCount {
          referredRows[PendingKey(entity: change.entity, key: page.key(ofRow: row))] = RowReference(
            page, row)
        }
      }
    }
  }

  /// The primary key of a row that is about to be inserted; nil while it is not known.
  private func keyValues(
    _ entity: EntityIndex, _ page: RowPage, _ row: Int, _ unassigned: Set<PendingKey>
  ) -> [Value]? {
    guard case .columns(let names) = mapping.entities[entity].key else { return nil }
    var values: [Value] = []
    for name in names {
      guard let value = value(of: name, entity, page, row, unassigned) else { return nil }
      values.append(value)
    }
    return values
  }

  private func value(
    of column: String, _ entity: EntityIndex, _ page: RowPage, _ row: Int,
    _ unassigned: Set<PendingKey>
  ) -> Value? {
    for (slot, place) in mapping.entities[entity].slots.placed {
      switch place {
      case .attribute(let attribute) where attribute.name.isExactly(column):
        let value = page.value(row: row, slot: slot)
        if value.isNull, slot == mapping.entities[entity].keySlot {
          return .key(current(entity, page.key(ofRow: row)))
        }
        return value.isNull ? nil : attribute.affinity.converted(value)
      case .toOne(let foreign):
        guard foreign.isWritable, let index = foreign.names.firstIndex(of: column),
          page.tag(row: row, slot: slot) == .integer
        else { continue }
        let target = page.key(row: row, slot: slot)
        if unassigned.contains(PendingKey(entity: foreign.destination, key: target)) { return nil }
        let key = current(foreign.destination, target)
        if DanglingKey.isOne(key) { return mapping.keyTables.dangling.values(of: key)?[index] }
        switch foreign.reference {
        case .rowid: return .key(key)
        case .primaryKey:
          return mapping.keyTables[foreign.destination].values(of: key)?[index]
        case .columns(let names):
          if let new = referredRows[PendingKey(entity: foreign.destination, key: target)] {
            return value(of: names[index], foreign.destination, new.page, new.row, unassigned)
          }
          return referenced(foreign, key, index)
        }
      default: continue
      }
    }
    return nil
  }

  /// What a stored row holds in a column that is referred to.
  private func referenced(_ foreign: ForeignKey, _ key: RowKey, _ index: Int) -> Value? {
    let values = QueryBuilder(mapping).referencedValues(
      foreign.destination, foreign.reference, key: "?1")
    guard let statement = try? RawStatement("SELECT \(values[index])", in: database) else {
      return nil
    }
    statement.bind(key, at: 1)
    guard (try? statement.step()) == true else { return nil }
    let value = statement.value(at: 0)
    return value.isNull ? nil : value
  }
}

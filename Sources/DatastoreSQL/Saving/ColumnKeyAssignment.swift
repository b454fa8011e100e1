import Basics
package import DatastoreCore

/// Assigns numbers to new rows whose keys consist of columns, before anything refers to them.
package struct ColumnKeyAssignment {
  /// A column of the key of a new row.
  package struct Part: Hashable {
    package let row: SavedRow
    package let column: String
  }

  private let mapping: SchemaMapping
  /// Keys that new rows get instead of those in the changes, by root entity.
  package private(set) var rekeyed: [EntityIndex: [RowKey: RowKey]]
  /// The values of columns that were given none.
  package var defaults: [Part: Value] = [:]
  private var waiting: [(row: SavedRow, reference: RowReference)] = []
  /// New rows that others refer to by columns other than their key.
  private var referred: [SavedRow: RowReference] = [:]

  /// - Parameter rekeyed: the known keys of rows whose key is a number.
  package init(
    _ changes: ChangeSet, _ mapping: SchemaMapping, rekeyed: [EntityIndex: [RowKey: RowKey]]
  ) {
    self.mapping = mapping
    self.rekeyed = rekeyed
    for change in changes.entities {
      guard case .columns = mapping.entities[change.entity].key else { continue }
      waiting += Self.rows(change)
    }
    if waiting.isEmpty { return }
    let destinations = Set(
      changes.entities.flatMap { mapping.toOnes(of: $0.entity) }.compactMap { _, foreign in
        if case .columns = foreign.reference { return foreign.destination }
        return nil
      })
    for change in changes.entities where destinations.contains(change.entity) {
      referred.merge(Self.rows(change)) { first, _ in first }
    }
  }

  private static func rows(
    _ change: EntityChanges
  ) -> [(row: SavedRow, reference: RowReference)] {
    change.inserted.flatMap { page in
      (0..<page.rowCount).map {
        (SavedRow(entity: change.entity, key: page.key(ofRow: $0)), RowReference(page, $0))
      }
    }
  }

  /// The columns of keys that were given no value.
  package func missingParts(_ source: some ReferredValues) -> [Part] {
    waiting.flatMap { row, reference in
      names(row.entity).filter { value(of: $0, row, reference, [], source) == nil }
        .map { Part(row: row, column: $0) }
    }
  }

  private func names(_ entity: EntityIndex) -> [String] {
    if case .columns(let names) = mapping.entities[entity].key { names } else { [] }
  }

  /// Keys may contain keys of other new rows, so this repeats until nothing new is known.
  ///
  /// - Throws: `StoreError.missingValue` for a row without a key.
  package mutating func run(_ source: some ReferredValues) throws(StoreError) {
    while !waiting.isEmpty {
      var unassigned = Set(waiting.map(\.row))
      var left: [(row: SavedRow, reference: RowReference)] = []
      for (row, reference) in waiting {
        guard let values = keyValues(row, reference, unassigned, source) else {
          left.append((row, reference))
          continue
        }
        unassigned.remove(row)
        let number = mapping.keyTables[row.entity].assign(values, to: row.key)
        if number != row.key { rekeyed[row.entity, default: [:]][row.key] = number }
      }
      if left.count == waiting.count {
        throw StoreError.missingValue(
          entity: mapping.schema.entities[left[0].row.entity].name, property: "primary key",
          key: left[0].row.key)
      }
      waiting = left
    }
  }

  /// The key of a row to be inserted; nil while it is not known.
  private func keyValues(
    _ row: SavedRow, _ reference: RowReference, _ unassigned: Set<SavedRow>,
    _ source: some ReferredValues
  ) -> [Value]? {
    var values: [Value] = []
    for name in names(row.entity) {
      guard
        let value = defaults[Part(row: row, column: name)]
          ?? value(of: name, row, reference, unassigned, source)
      else { return nil }
      values.append(value)
    }
    return values
  }

  private func current(_ row: SavedRow) -> RowKey {
    rekeyed[mapping.schema.entities[row.entity].root]?[row.key] ?? row.key
  }

  private func value(
    of column: String, _ row: SavedRow, _ reference: RowReference, _ unassigned: Set<SavedRow>,
    _ source: some ReferredValues
  ) -> Value? {
    let (page, place) = (reference.page, reference.row)
    for (slot, mapped) in mapping.entities[row.entity].slots.placed {
      switch mapped {
      case .attribute(let attribute) where attribute.name.isExactly(column):
        let value = page.value(row: place, slot: slot)
        if !value.isNull { return source.stored(value, in: attribute) }
      case .toOne(let foreign):
        guard foreign.isWritable, let index = foreign.names.firstIndex(of: column),
          page.tag(row: place, slot: slot) == .integer
        else { continue }
        let target = SavedRow(entity: foreign.destination, key: page.key(row: place, slot: slot))
        if unassigned.contains(target) { return nil }
        let key = current(target)
        if DanglingKey.isOne(key) { return mapping.keyTables.dangling.values(of: key)?[index] }
        switch foreign.reference {
        case .rowid: return .key(key)
        case .primaryKey: return mapping.keyTables[target.entity].values(of: key)?[index]
        case .columns(let names):
          guard let new = referred[target] else {
            return source.value(of: names[index], in: target.entity, key)
          }
          return value(of: names[index], target, new, unassigned, source)
        }
      default: continue
      }
    }
    // If no number was given, the key is the number.
    if case .rowid(let key) = mapping.entities[row.entity].key, key.isExactly(column) {
      return .key(current(row))
    }
    return nil
  }
}

/// An engine's access to the values of keys.
package protocol ReferredValues {
  /// The value that a column will hold for a value stored in it.
  func stored(_ value: Value, in column: Column) -> Value
  /// The value of a stored row in a column that others refer to; nil for NULL, and if there is no such row.
  func value(of column: String, in entity: EntityIndex, _ key: RowKey) -> Value?
}

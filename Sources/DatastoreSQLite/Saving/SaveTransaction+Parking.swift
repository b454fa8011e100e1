import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB
import GRDBSQLite

/// Unique values that rows exchange in one save.
extension SaveTransaction {
  /// Parks rows whose updates wait for each other's old values: the unique columns that they change become
  /// NULL if that is allowed, otherwise an unused value, until it is their turn again.
  ///
  /// - Parameter waiting: rows whose update was refused; parked ones are overwritten.
  /// - Returns: whether any row was parked. Each is parked only once.
  func park(
    _ waiting: inout [RowUpdate], _ entity: EntityIndex, _ error: any Error
  ) throws -> Bool {
    guard (error as? DatabaseError)?.isUniqueness == true else { return false }
    let unique = try uniqueColumns(of: mapping.entities[entity].table)
    var isHelped = false
    for (index, update) in waiting.enumerated() where parked.insert(update.key).inserted {
      // The row is compared before it is parked, to detect a conflict.
      guard try isUnchanged(update, entity), try park(update, entity, unique) else { continue }
      waiting[index].overwrites = true
      isHelped = true
    }
    return isHelped
  }

  private func uniqueColumns(of table: String) throws -> Set<String> {
    let statement = try RawStatement(
      """
      SELECT DISTINCT part.name FROM pragma_index_list(\(.text(table))) AS list, \
      pragma_index_info(list.name) AS part WHERE list."unique" AND part.name IS NOT NULL
      """, in: database)
    var names: Set<String> = []
    while try statement.step() { names.insert(statement.value(at: 0).plainText) }
    return names
  }

  private func park(_ update: RowUpdate, _ entity: EntityIndex, _ unique: Set<String>) throws
    -> Bool
  {
    let values = parkingValues(update, entity, unique)
    if values.isEmpty { return false }
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    let assignments = values.enumerated().map { index, item in
      "\(name: item.column) = ?\(number: index + 2)" as SQLFragment
    }
    let statement = try RawStatement(
      """
      UPDATE \(builder.table(entity, alias)) SET \(assignments.joined(by: ", ")) \
      WHERE \(builder.isRow(entity, alias, key: "?1"))
      """, in: database, isCached: true)
    defer { statement.reset() }
    statement.bind(current(entity, update.key), at: 1)
    for (index, item) in values.enumerated() {
      try statement.bind(item.value, at: Int32(index + 2))
    }
    do {
      try statement.run()
      return true
    } catch is DatabaseError {
      // The file has rules for these columns that such values break.
      return false
    }
  }

  /// The changed columns that can have other values temporarily, and these values.
  private func parkingValues(
    _ update: RowUpdate, _ entity: EntityIndex, _ unique: Set<String>
  ) -> [(column: String, value: Value)] {
    let mapped = mapping.entities[entity]
    var values: [(column: String, value: Value)] = []
    for slot in update.slots where slot != mapped.keySlot {
      switch mapped.slots[slot] {
      case .attribute(let column) where !column.isGenerated && unique.contains(column.name):
        if column.isNullable {
          values.append((column.name, .null))
        } else if let value = unusedValue(like: update, slot) {
          values.append((column.name, value))
        }
      case .toOne(let foreign) where foreign.isWritable && mapping.isNative:
        values += foreign.names.filter(unique.contains).map { ($0, .null) }
      case .attribute, .toOne, .toManyForeignKey, .toManyJoin: continue
      }
    }
    return values
  }

  /// A value of the kind of a slot's new value, drawn at random so that no row has it.
  private func unusedValue(like update: RowUpdate, _ slot: Slot) -> Value? {
    switch update.page.value(row: update.row, slot: slot) {
    case .integer: .integer(.random(in: Int64.min / 2 ... -(1 << 53)))
    case .real: .real(-.random(in: 1e200...1e300))
    case .text: .text(UUID().uuidString)
    case .blob(let data):
      // As long as the new one: there may be a rule for the length.
      .blob(Data((0..<max(16, data.count)).map { _ in UInt8.random(in: .min ... .max) }))
    case .null: nil
    }
  }
}

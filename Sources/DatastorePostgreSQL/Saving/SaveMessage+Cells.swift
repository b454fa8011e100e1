#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// How cells become elements of arrays, and the expressions that statements use for them.
extension SaveMessage {
  /// Puts a cell into an array, or throws an error with the object that cannot be saved.
  ///
  /// - Parameter owner: the key of the row in the changes.
  /// - Returns: whether the column will hold exactly that value.
  @inline(__always)
  func append(
    _ page: RowPage, _ row: Int, _ column: ServerColumn, to array: inout PostgreSQLArray,
    of entity: EntityIndex, _ owner: RowKey
  ) throws -> Bool {
    do {
      switch column.source {
      case .cell: return try column.form.append(page, row, column.slot, to: &array)
      case .key where rekeyed.isEmpty:
        return try column.form.append(page, row, column.slot, to: &array)
      default: return try appendReference(page, row, column, to: &array)
      }
    } catch {
      throw refusal(entity, owner, column.slot, error)
    }
  }

  private func appendReference(
    _ page: RowPage, _ row: Int, _ column: ServerColumn, to array: inout PostgreSQLArray
  ) throws(Unstorable) -> Bool {
    guard page.tag(row: row, slot: column.slot) == .integer else {
      array.appendNull()
      return true
    }
    let key = page.key(row: row, slot: column.slot)
    switch column.source {
    case .cell: trap("a cell is no reference")
    case .key(let destination), .value(_, let destination):
      array.append(current(destination, key).rawValue)
    case .part(let index, let destination):
      guard let values = mapping.keyTables[destination].values(of: current(destination, key))
      else { throw Unstorable(detail: "leads to an object that is not saved") }
      _ = try column.form.append(values[index], to: &array)
    }
    return true
  }

  func refusal(
    _ entity: EntityIndex, _ key: RowKey, _ slot: Slot?, _ error: Unstorable
  ) -> StoreError {
    let described = mapping.schema.entities[entity]
    let subject = slot.map { "its “\(described.properties[$0].name)”" } ?? "it"
    return .refused(
      entity: described.name, key: key, detail: "\(subject) \(error.detail)")
  }

  /// Puts the key of a row of the changes into arrays.
  func append(
    _ key: RowKey, of entity: EntityIndex, by columns: SaveKey, to arrays: inout [PostgreSQLArray]
  ) throws {
    do {
      try columns.append(current(entity, key), to: &arrays)
    } catch {
      throw refusal(entity, key, nil, error)
    }
  }

  /// The condition that a column of a stored row still holds an element; never NULL.
  func isSame(
    _ column: ServerColumn, _ element: SQLFragment, of entity: EntityIndex
  ) -> SQLFragment {
    let stored = column.form.stored("stored.\(name: column.name)")
    switch column.source {
    case .cell, .key: return "\(stored) IS NOT DISTINCT FROM \(element)"
    case .part:
      let same: SQLFragment = "\(stored) IS NOT DISTINCT FROM \(element)"
      guard case .toOne(let foreign) = mapping.entities[entity].slots[column.slot],
        foreign.columns.count > 1
      else { return same }
      // A reference that is NULL in part leads nowhere, and was read as nil.
      let isNone = foreign.columns.map { "stored.\(name: $0.name) IS NULL" as SQLFragment }
      return "(\(same) OR \(element) IS NULL AND (\(isNone.joined(by: " OR "))))"
    case .value:
      guard case .toOne(let foreign) = mapping.entities[entity].slots[column.slot] else {
        trap("only to-one relationships lead to rows")
      }
      let key = QueryBuilder(mapping).toOneKey(foreign, "stored")
      return "\(key) IS NOT DISTINCT FROM \(element)"
    }
  }
}
#endif

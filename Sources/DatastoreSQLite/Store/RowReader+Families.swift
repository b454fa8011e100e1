import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Rows of several entities that share a table.
extension RowReader {
  /// Appends rows of a family to a page until it is full; returns true at the end of the statement.
  ///
  /// - Throws: `StoreError.unknownMember` for a row of an unknown entity.
  func fill(_ page: RowPage, _ statement: RawStatement, of family: FamilyMapping) throws -> Bool {
    while !page.isFull {
      guard try statement.step() else { return true }
      let key = statement.key(at: 0)
      try read(statement.pointer, key: key, of: family, into: page)
    }
    return false
  }

  /// Appends the statement's current row in the slots of its entity.
  ///
  /// - Throws: `StoreError.unknownMember` for a row of an unknown entity.
  func read(
    _ pointer: OpaquePointer, key: RowKey, of family: FamilyMapping, into page: RowPage
  ) throws {
    let member = try family.member(of: pointer, at: Int32(family.columns.count + 1), key: key)
    let row = page.appendRow(key: key)
    for (slot, column, isKey) in member.slots {
      set(pointer, Int32(column + 1), isKey ? .key : .value, page, row, slot)
    }
    page.setInteger(Int64(member.entity.rawValue), row: row, column: page.columnCount - 1)
  }
}

extension FamilyMapping {
  /// The entity whose name or number is in a column of a statement's current row. O(members).
  ///
  /// - Throws: `StoreError.unknownMember`.
  func member(of pointer: OpaquePointer, at column: Int32, key: RowKey) throws -> Member {
    if isNumbered, sqlite3_column_type(pointer, column) == SQLITE_INTEGER {
      let number = sqlite3_column_int64(pointer, column)
      if let member = members.first(where: { $0.number == number }) { return member }
    }
    // As a blob, because text would be copied to append a zero.
    let start = sqlite3_column_blob(pointer, column)
    let name = UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(pointer, column)))
    return try member(named: name, key: key)
  }
}

import DatastoreCore
import GRDB
import GRDBSQLite

/// Rows of several entities that share a table.
extension RowReader {
  /// Appends the statement's current row in the slots of the entity that it is of.
  ///
  /// - Throws: `StoreError.unknownMember` for a row of an entity that there is not.
  func read(
    _ pointer: OpaquePointer, key: Int64, of family: FamilyMapping, into page: RowPage
  ) throws {
    let member = try family.member(of: pointer, at: Int32(family.columns.count + 1), key: key)
    let row = page.appendRow(key: key)
    for (slot, column, isKey) in member.slots {
      Self.set(pointer, Int32(column + 1), isKey: isKey, page, row, slot)
    }
    page.setInteger(Int64(member.entity), row: row, slot: page.slotCount - 1)
  }
}

extension FamilyMapping {
  /// The entity that a column of a statement's current row names. Compares bytes, without making text.
  /// O(members).
  ///
  /// - Throws: `StoreError.unknownMember`.
  func member(of pointer: OpaquePointer, at column: Int32, key: Int64) throws -> Member {
    let name = UnsafeRawBufferPointer(
      start: sqlite3_column_text(pointer, column), count: Int(sqlite3_column_bytes(pointer, column))
    )
    for member in members where member.name.count == name.count && member.name.elementsEqual(name) {
      return member
    }
    throw StoreError.unknownMember(
      name: String(decoding: name, as: UTF8.self), key: key, known: names)
  }
}

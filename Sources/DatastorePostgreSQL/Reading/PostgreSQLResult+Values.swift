#if PostgreSQL
import DatastoreCore

extension PostgreSQLResult {
  func value(_ row: Int, _ column: Int) -> Value {
    isNull(row, column) ? .null : ServerCell(type(ofColumn: column)).value(bytes(row, column))
  }

  /// All text fields, row by row; NULL becomes an empty text.
  func texts() -> [[String]] {
    (0..<rowCount).map { row in (0..<columnCount).map { text(row, $0) ?? "" } }
  }

  /// All fields, row by row.
  func rows() -> [[Value]] {
    let cells = (0..<columnCount).map { ServerCell(type(ofColumn: $0)) }
    return (0..<rowCount).map { row in
      cells.indices.map { column in
        isNull(row, column) ? .null : cells[column].value(bytes(row, column))
      }
    }
  }

  /// The integers that a `bytea` of eight bytes each holds, in the first field; none if the field is NULL.
  func forEachPackedKey(_ body: (RowKey) -> Void) {
    guard rowCount > 0, !isNull(0, 0) else { return }
    let bytes = bytes(0, 0)
    for offset in stride(from: 0, to: bytes.count, by: 8) {
      body(RowKey(bytes.network(Int64.self, at: offset)))
    }
  }
}
#endif

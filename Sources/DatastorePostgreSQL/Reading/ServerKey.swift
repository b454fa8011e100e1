#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// How the key of a row follows from the value of a column.
enum ServerKey {
  /// The value of the column.
  case integer
  /// A number that stands for the value of the column, or for the values of the record in it.
  case interned(KeyTable)

  init(_ mapping: SchemaMapping, _ entity: EntityIndex) {
    if case .rowid = mapping.entities[entity].key {
      self = .integer
    } else {
      self = .interned(mapping.keyTables[entity])
    }
  }

  /// The key in a field; nil for NULL, and for a key with a NULL part.
  ///
  /// - Throws: `TooManyRows`.
  @inline(__always)
  func number(_ field: UnsafeRawBufferPointer?, _ cell: ServerCell) throws -> RowKey? {
    switch self {
    case .integer: return field.map { RowKey($0.networkInteger) }
    case .interned(let table):
      guard let bytes = field else {
        // A view of one column has rows whose only value is NULL.
        return table.isOfWholeRows ? try table.number(of: [.null]) : nil
      }
      var values: [Value]
      if case .record = cell {
        values = ServerCell.values(ofRecord: bytes)
      } else {
        values = [cell.keyPart(bytes)]
      }
      if !table.isOfWholeRows, values.contains(where: \.isNull) { return nil }
      return try table.number(of: values)
    }
  }

  /// The keys in a column, without those that are NULL.
  ///
  /// - Throws: `TooManyRows`.
  func numbers(_ result: PostgreSQLResult, _ column: Int) throws -> [RowKey] {
    let cell = ServerCell(result.type(ofColumn: column), keepsDigits: true)
    var counter = counter
    var keys: [RowKey] = []
    keys.reserveCapacity(result.rowCount)
    for row in 0..<result.rowCount {
      guard let key = try number(result.field(row, column), cell) else { continue }
      keys.append(try counter?.key(key) ?? key)
    }
    return keys
  }

  /// Numbers equal rows that are their own key; nil if rows have keys.
  var counter: OccurrenceCounter? {
    guard case .interned(let table) = self, table.isOfWholeRows else { return nil }
    return OccurrenceCounter(table)
  }
}
#endif

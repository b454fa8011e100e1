import DatastoreCore
import GRDBSQLite

/// Functions on dates, for conditions and sections.
extension SQLFunctions {
  /// `datastore_date_part(value, part, convention)`: `DatePart.value(of:_:)`.
  static func datePart(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
    let parts = DatePart.allCases
    guard let values, count == 3,
      let part = Int(exactly: sqlite3_value_int64(values[1])), parts.indices.contains(part),
      let convention = convention(values[2])
    else { return sqlite3_result_null(context) }
    result(parts[part].value(of: value(values[0]), convention), context)
  }

  /// `datastore_date_text(value, convention)`: the date as displayed, and other values as text; NULL for
  /// bytes.
  static func dateText(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
    guard let values, count == 2, let convention = convention(values[1]) else {
      return sqlite3_result_null(context)
    }
    let value = value(values[0])
    if let moment = convention.moment(of: value) {
      return result(.text(moment.description), context)
    }
    switch value {
    case .null, .blob: sqlite3_result_null(context)
    case .integer(let integer): result(.text(String(integer)), context)
    case .real(let real): result(.text(String(real)), context)
    case .text: result(value, context)
    }
  }

  private static func convention(_ value: OpaquePointer?) -> DateConvention? {
    Int(exactly: sqlite3_value_int64(value)).flatMap(DateConvention.init(code:))
  }
}

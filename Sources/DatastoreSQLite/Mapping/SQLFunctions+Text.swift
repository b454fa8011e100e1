import DatastoreCore
import GRDBSQLite

/// Functions for `[c]`, `[d]`, LIKE and MATCHES.
extension SQLFunctions {
  /// `datastore_fold(value, options)`: text folded, other values unchanged.
  static func fold(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
    guard let values, count == 2 else { return sqlite3_result_null(context) }
    guard sqlite3_value_type(values[0]) == SQLITE_TEXT else {
      return sqlite3_result_value(context, values[0])
    }
    let text = value(values[0]).plainText
    result(.text(TextFolding.fold(text, options(values[1]))), context)
  }

  /// `datastore_like(text, pattern, options)`, `datastore_matches(…)` and so on, for each comparator that is
  /// no part of a text: 0 unless both are text.
  static func holds(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
    let comparator = Predicate.TextComparator.allCases[
      Int(bitPattern: sqlite3_user_data(context)) - 1]
    guard let values, count == 3, case .text(let text) = value(values[0]),
      case .text(let pattern) = value(values[1])
    else { return sqlite3_result_int(context, 0) }
    do {
      let holds = try TextMatching.holdsFolding(
        comparator, text, pattern, options: options(values[2]))
      sqlite3_result_int(context, holds ? 1 : 0)
    } catch {
      sqlite3_result_error(context, error.description, -1)
    }
  }

  private static func options(_ value: OpaquePointer?) -> Predicate.StringOptions {
    Predicate.StringOptions(rawValue: UInt8(truncatingIfNeeded: sqlite3_value_int(value)))
  }

  /// `datastore_decimal(text)`: `Value.decimalNumber`.
  static func decimal(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
    guard let values, count == 1 else { return sqlite3_result_null(context) }
    guard sqlite3_value_type(values[0]) == SQLITE_TEXT else {
      return sqlite3_result_value(context, values[0])
    }
    result(value(values[0]).decimalNumber, context)
  }

  /// `datastore_function(code, count, value, …, convention, …)`: `Predicate.Function.value(of:dates:)` of
  /// `count` values; conventions follow if there are dates among them.
  static func function(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
    let functions = Predicate.Function.allCases
    guard let values, count > 2, let code = Int(exactly: sqlite3_value_int64(values[0])),
      functions.indices.contains(code), let taken = Int(exactly: sqlite3_value_int64(values[1])),
      (1...Int(count) - 2).contains(taken)
    else { return sqlite3_result_null(context) }
    let arguments = (2..<2 + taken).map { value(values[$0]) }
    let dates = (2 + taken..<Int(count)).map { index -> DateConvention? in
      guard case .integer(let code) = value(values[index]) else { return nil }
      return DateConvention(code: Int(truncatingIfNeeded: code))
    }
    result(functions[code].value(of: arguments, dates: dates), context)
  }

  /// `datastore_arithmetic(left, operator, right)`: `Value.arithmetic`.
  static func arithmetic(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
    guard let values, count == 3,
      let operation = Predicate.Arithmetic(rawValue: value(values[1]).plainText)
    else { return sqlite3_result_null(context) }
    result(Value.arithmetic(value(values[0]), operation, value(values[2])), context)
  }
}

import DatastoreCore

/// One side of a comparison in SQL, with what SQLite would do to it when comparing.
///
/// Values must compare in the order of their storage classes, as `Value.compare` says. SQLite instead
/// converts one side to the *affinity* of a column on the other. `comparable(_:_:)` takes the
/// affinity away (by a unary `+`, which makes an index unusable) only where a conversion could change
/// the result: <https://www.sqlite.org/datatype3.html#comparison_expressions>.
struct SQLOperand {
  var sql: SQLFragment
  /// The value, when the operand is one.
  var constant: Value?
  /// The affinity of the column it is; nil for everything that has none.
  var affinity: Affinity?
  /// Whether its collation is BINARY.
  var isBinary = true
  /// Whether it holds text or NULL and nothing else.
  var isText = false
  /// Whether it holds numbers or NULL and nothing else.
  var isNumber = false
  /// Whether it is a decimal number, stored as text and converted for comparing.
  var isDecimal = false
  /// The column of a key that need not hold integers only: equals an integer where the operand does,
  /// and can be found by an index.
  var integerColumn: SQLFragment?
  /// What is stored, where `sql` is something made of it.
  var stored: SQLFragment?

  static func value(_ value: Value) -> SQLOperand {
    switch value {
    case .integer, .real, .null: SQLOperand(sql: "\(value)", constant: value, isNumber: true)
    case .text, .blob: SQLOperand(sql: "\(value)", constant: value)
    }
  }

  static func expression(_ sql: SQLFragment) -> SQLOperand {
    SQLOperand(sql: sql)
  }

  /// A column; decimal ones as the number that they say, since long ones are stored as text.
  static func column(_ sql: SQLFragment, _ column: Column, _ type: AttributeType) -> SQLOperand {
    if type == .decimal {
      return SQLOperand(sql: "datastore_decimal(\(sql))", isDecimal: true, stored: sql)
    }
    return SQLOperand(
      sql: sql, affinity: column.affinity, isBinary: column.isBinary,
      isText: column.affinity == .text && column.isStrict,
      isNumber: column.affinity.isNumeric && column.isStrict)
  }

  /// Two operands, made safe to compare with each other.
  static func comparable(_ left: SQLOperand, _ right: SQLOperand) -> (SQLFragment, SQLFragment) {
    var left = left
    var right = right
    if left.isDecimal { right = right.decimalConstant }
    if right.isDecimal { left = left.decimalConstant }
    if converts(left, right) || converts(right, left) {
      left = left.withoutAffinity
      right = right.withoutAffinity
    }
    if !left.isBinary || !right.isBinary { left.sql += " COLLATE BINARY" }
    return (left.sql, right.sql)
  }

  /// Whether comparing converts `other` to the affinity of `column` with consequences.
  private static func converts(_ column: SQLOperand, _ other: SQLOperand) -> Bool {
    guard let affinity = column.affinity, affinity != .blob else { return false }
    switch other.constant {
    case .null, .blob: return false
    case .integer, .real: return affinity == .text
    case .text: return affinity.isNumeric
    case nil:
      guard let otherAffinity = other.affinity else { return true }
      return affinity.isNumeric != otherAffinity.isNumeric || otherAffinity == .blob
    }
  }

  private var withoutAffinity: SQLOperand {
    guard let affinity, affinity != .blob else { return self }
    var result = self
    result.sql = "+" + sql
    result.affinity = nil
    return result
  }

  /// A decimal as the text that is stored.
  var asStored: SQLOperand {
    guard isDecimal, let stored else { return self }
    return SQLOperand(sql: stored, affinity: .text)
  }

  /// A text constant as the number it says, beside a decimal column.
  private var decimalConstant: SQLOperand {
    guard let constant, constant.isText else { return self }
    return .value(constant.decimalNumber)
  }
}

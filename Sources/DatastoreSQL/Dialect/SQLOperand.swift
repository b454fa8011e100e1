package import DatastoreCore

/// One side of a comparison in SQL, with what an engine must know to compare it as `Value.compare` does
/// (`SQLDialect.comparable(_:_:)`).
package struct SQLOperand {
  package var sql: SQLFragment
  /// The value, when the operand is one.
  package var constant: Value?
  /// The affinity of the column it is; nil for everything that has none.
  package var affinity: Affinity?
  /// Whether its collation is BINARY.
  package var isBinary = true
  /// Whether it holds text or NULL and nothing else.
  package var isText = false
  /// Whether it holds numbers or NULL and nothing else.
  package var isNumber = false
  /// Whether it is a decimal number, stored as text and converted for comparing.
  package var isDecimal = false
  /// The column of a key that need not hold integers only: equals an integer where the operand does,
  /// and can be found by an index.
  var integerColumn: SQLFragment?
  /// Whether it is a column, as it is stored, that is compared byte by byte by default.
  var isBinaryColumn: Bool { affinity != nil && isBinary && stored == nil }
  /// What is stored, where `sql` is something made of it.
  package var stored: SQLFragment?
  /// The index of a column's words, and the key of the row that it belongs to.
  var words: (index: WordIndex, key: SQLFragment)?

  package static func value(_ value: Value) -> SQLOperand {
    switch value {
    case .integer, .real, .null: SQLOperand(sql: "\(value)", constant: value, isNumber: true)
    case .text, .blob: SQLOperand(sql: "\(value)", constant: value)
    }
  }

  package static func expression(_ sql: SQLFragment) -> SQLOperand {
    SQLOperand(sql: sql)
  }

  /// A decimal as the text that is stored.
  var asStored: SQLOperand {
    guard isDecimal, let stored else { return self }
    return SQLOperand(sql: stored, affinity: .text)
  }

  /// A text constant as the number it says, beside a decimal column.
  package var decimalConstant: SQLOperand {
    guard let constant, constant.isText else { return self }
    return .value(constant.decimalNumber)
  }
}

extension Value {
  package var isText: Bool {
    if case .text = self { return true }
    return false
  }
}

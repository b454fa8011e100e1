package import DatastoreCore

/// One side of a comparison in SQL, with everything that an engine needs to compare it like `Value.compare`
/// (`SQLDialect.comparable(_:_:)`).
package struct SQLOperand {
  package var sql: SQLFragment
  /// The value, if the operand is a constant.
  package var constant: Value?
  /// The affinity of its column; nil for operands without one.
  package var affinity: Affinity?
  /// Whether its collation is BINARY.
  package var isBinary = true
  /// Whether it holds only text or NULL.
  package var isText = false
  /// Whether it holds only numbers or NULL.
  package var isNumber = false
  /// Whether it is a decimal number, stored as text and converted for comparing.
  package var isDecimal = false
  /// The column of a key that may hold more than integers: it equals an integer if the operand does, and an
  /// index can find it.
  var integerColumn: SQLFragment?
  /// Whether it is a stored column that compares byte by byte by default.
  var isBinaryColumn: Bool { affinity != nil && isBinary && stored == nil }
  /// The stored value, if `sql` is derived from it.
  package var stored: SQLFragment?
  /// The index of a column's words, and the key of its row.
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

  /// A decimal as the stored text.
  var asStored: SQLOperand {
    guard isDecimal, let stored else { return self }
    return SQLOperand(sql: stored, affinity: .text)
  }

  /// A text constant as the number it denotes, in a comparison with a decimal column.
  package var decimalConstant: SQLOperand {
    guard let constant, constant.isText else { return self }
    return .value(constant.decimalNumber)
  }
}

extension Value {
  package var isText: Bool {
    if case .text = self { true } else { false }
  }
}

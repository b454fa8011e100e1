package import DatastoreCore
import Foundation

/// A value in the declaration of a table: the default for rows that another program inserts (inserts of this
/// library always set the column), or the limit of a rule.
///
/// Numbers with more digits than every SQLite reads exactly are left out.
package struct DeclaredValue {
  /// The literal after `DEFAULT`.
  package let literal: SQLFragment

  package init?(_ value: Value) {
    guard value.hasExactLiteral else { return nil }
    switch value {
    case .null: return nil
    case .integer(let integer): literal = Self.number(String(integer))
    case .real(let real): literal = Self.number("\(real)")
    case .text(let text): literal = "\(literal: text)"
    case .blob(let data):
      literal = SQLFragment(stringLiteral: "X'\(Hexadecimal.text(data))'")
    }
  }

  private static func number(_ digits: String) -> SQLFragment {
    SQLFragment(stringLiteral: digits.hasPrefix("-") ? "(\(digits))" : digits)
  }
}

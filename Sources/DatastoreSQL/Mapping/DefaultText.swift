import DatastoreCore
import Foundation

/// The value that new rows get from the table itself when another program inserts them; our own inserts always
/// say it.
///
/// Numbers with more digits than every SQLite reads exactly have none.
struct DefaultText {
  /// As it is written after `DEFAULT`.
  let literal: SQLFragment

  init?(_ value: Value) {
    switch value {
    case .null: return nil
    case .integer(let integer):
      // SQLite reads the digits of the least integer as a real.
      guard integer != .min else { return nil }
      literal = Self.number(String(integer))
    case .real(let real):
      let text = "\(real)"
      guard real.isFinite, text.count(where: \.isNumber) <= 15, abs(real) < 1e15,
        abs(real) >= 1e-5 || real == 0
      else { return nil }
      literal = Self.number(text)
    case .text(let text):
      guard !text.utf8.contains(0) else { return nil }
      literal = "\(literal: text)"
    case .blob(let data):
      literal = SQLFragment(stringLiteral: "X'\(Hexadecimal.text(data))'")
    }
  }

  private static func number(_ digits: String) -> SQLFragment {
    SQLFragment(stringLiteral: digits.hasPrefix("-") ? "(\(digits))" : digits)
  }
}

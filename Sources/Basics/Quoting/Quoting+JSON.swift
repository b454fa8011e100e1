/// Strings of JSON (RFC 8259); texts in predicates have the same escapes.
extension Quoting {
  /// Text between double quotes.
  ///
  /// - Parameter isEscaped: selects the characters to escape besides the quote and the backslash; for JSON,
  ///   the controls below U+0020 must be among them.
  package static func json(
    _ text: String, escaping isEscaped: (Unicode.Scalar) -> Bool = { $0.value < 0x20 }
  ) -> String {
    let escaped = replacing(in: text) { scalar in
      scalar == "\"" || scalar == "\\" || isEscaped(scalar) ? jsonEscape(scalar) : nil
    }
    return "\"" + escaped + "\""
  }

  /// The escape of a character: `\n`, or `\u` with the four digits of each of its UTF-16 code units.
  package static func jsonEscape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default:
      String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }.joined()
    }
  }
}

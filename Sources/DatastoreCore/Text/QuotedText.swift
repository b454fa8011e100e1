/// Text in double quotes, with the escapes of JSON (RFC 8259), which predicates have, too.
package enum QuotedText {
  /// - Parameter isEscaped: which characters are escaped besides the quote and the backslash; the controls below
  ///   U+0020 must be among them for JSON.
  package static func quote(
    _ text: String, escaping isEscaped: (Unicode.Scalar) -> Bool = { $0.value < 0x20 }
  ) -> String {
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" || isEscaped(scalar) {
        quoted.append(contentsOf: escape(scalar).unicodeScalars)
      } else {
        quoted.append(scalar)
      }
    }
    quoted.append("\"")
    return String(quoted)
  }

  /// What stands for a character: `\n`, or `\u` with the four digits of each of its units in UTF-16.
  package static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default:
      UTF16.encode(scalar).map { units in
        units.map { unit in
          "\\u"
            + Hexadecimal.text([UInt8(unit >> 8), UInt8(unit & 0xFF)], Hexadecimal.lowercase)
        }.joined()
      } ?? ""
    }
  }
}

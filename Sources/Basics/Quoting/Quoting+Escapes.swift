extension Quoting {
  /// A literal of Swift. Characters that are invisible, or change how others are shown, are written as
  /// escapes. O(length).
  package static func swiftLiteral(_ text: String) -> String {
    let inside = replacing(in: text) { scalar in
      switch scalar {
      case "\"": return "\\\""
      case "\\": return "\\\\"
      case "\n": return "\\n"
      default: return scalar.isUnseen ? unicodeEscape(scalar) : nil
      }
    }
    return "\"" + inside + "\""
  }

  fileprivate static func unicodeEscape(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }
}

extension Unicode.Scalar {
  fileprivate var isUnseen: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: true
    default: false
    }
  }
}

/// Texts in a script that has one line for each step of a session.
extension Quoting {
  /// Text in one line, whatever a reader accepts as a line end: with `\n`, `\r`, `\t`, `\\`, and `\u{2028}`
  /// for every other invisible character. O(length).
  package static func scriptText(_ text: String) -> String {
    replacing(in: text) { scalar in
      switch scalar {
      case "\\": return "\\\\"
      case "\n": return "\\n"
      case "\r": return "\\r"
      case "\t": return "\\t"
      // They join emoji, and many scripts need them for spelling.
      case "\u{200C}", "\u{200D}": return nil
      default: return scalar.isUnseen ? unicodeEscape(scalar) : nil
      }
    }
  }

  /// The text that `scriptText` was called with; nil if a backslash begins no known escape. O(length).
  package static func unescapedScriptText(_ text: some StringProtocol) -> String? {
    var result = String.UnicodeScalarView()
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "n": result.append("\n")
      case "r": result.append("\r")
      case "t": result.append("\t")
      case "\\": result.append("\\")
      case "u":
        guard rest.popFirst() == "{", let end = rest.firstIndex(of: "}"),
          let value = UInt32(String(rest[..<end]), radix: 16), let named = Unicode.Scalar(value)
        else { return nil }
        result.append(named)
        rest = rest[rest.index(after: end)...]
      default: return nil
      }
    }
    return String(result)
  }
}

extension Quoting {
  /// A literal of Swift. What cannot be seen, or changes how other characters are shown, is written as an
  /// escape. O(length).
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

/// Texts in the lines of a script, one line for each: the steps of a session.
extension Quoting {
  /// Text in one line, whatever its readers take for the end of a line: with `\n`, `\r`, `\t`, `\\`,
  /// and `\u{2028}` for everything else that cannot be seen. O(length).
  package static func scriptText(_ text: String) -> String {
    replacing(in: text) { scalar in
      switch scalar {
      case "\\": return "\\\\"
      case "\n": return "\\n"
      case "\r": return "\\r"
      case "\t": return "\\t"
      // Emoji are joined, and many scripts spell, with these.
      case "\u{200C}", "\u{200D}": return nil
      default: return scalar.isUnseen ? unicodeEscape(scalar) : nil
      }
    }
  }

  /// The text that `scriptText` was given; nil where something else follows a backslash. O(length).
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

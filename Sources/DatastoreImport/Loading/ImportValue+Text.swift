extension ImportValue {
  /// The value as text: itself, or as JSON writes it. nil for null. O(length).
  package var text: String? {
    switch self {
    case .null: nil
    case .text(let text): text
    default: json
    }
  }

  /// The value in the grammar of JSON (RFC 8259), without white space.
  var json: String {
    switch self {
    case .null: "null"
    case .boolean(let boolean): boolean ? "true" : "false"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): Self.quoted(text)
    case .list(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
    case .record(let fields):
      "{" + fields.map { "\(Self.quoted($0.name)):\($0.value.json)" }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.value < 0x20:
        let hex = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// The value inside a message: “abc”, cut after 40 characters, or what it is.
  ///
  /// Control and format characters are written as escapes, so that the text of a file cannot speak to
  /// a terminal.
  var shown: String {
    switch self {
    case .null, .list, .record: kindDescription
    default: "“\((text ?? "").shownInMessage)”"
    }
  }
}

extension String {
  /// The text without anything that a terminal could obey, at most 40 characters long.
  package var shownInMessage: String {
    var shown = ""
    for scalar in prefix(40).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return count > 40 ? shown + "…" : shown
  }
}

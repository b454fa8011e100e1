import DatastoreCore
import Gates

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
    case .text(let text): QuotedText.quote(text)
    case .list(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
    case .record(let fields):
      "{" + fields.map { "\(QuotedText.quote($0.name)):\($0.value.json)" }.joined(separator: ",")
        + "}"
    }
  }

  /// The value inside a message: “abc”, cut after 40 characters, or what it is.
  var shown: String {
    switch self {
    case .null, .list, .record: kindDescription
    default: "“\((text ?? "").shownInMessage)”"
    }
  }
}

extension String {
  /// The text with marks in place of what a terminal could obey, at most 40 characters long, each with
  /// few combining marks. Complexity: O(1), however long the text is.
  package var shownInMessage: String {
    let beginning = prefix(40).unicodeScalars.prefix(160)
    let shown = String(beginning).markingHarmful()
    return beginning.endIndex < endIndex ? shown + "…" : shown
  }
}

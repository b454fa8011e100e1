import Basics
import DatastoreCore

extension ImportValue {
  /// The value as text: itself, or its JSON. nil for null. O(length).
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
    case .text(let text): Quoting.json(text)
    case .number(let text, _): text
    case .list(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
    case .record(let fields):
      "{" + fields.map { "\(Quoting.json($0.name)):\($0.value.json)" }.joined(separator: ",")
        + "}"
    }
  }

  /// The value inside a message: “abc”, cut after 40 characters, or its kind.
  var shown: String {
    switch self {
    case .null, .list, .record: kindDescription
    default: "“\((text ?? "").shownInMessage)”"
    }
  }
}

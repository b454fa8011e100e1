import Gates

/// The raw value of a field as a file gives it, before its attribute is known.
///
/// A CSV file has only `null` and `text`; the other cases come from JSON.
package indirect enum ImportValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// Text, or a JSON number with more digits than `Int64` and `Double` can keep, as it was written.
  case text(String)
  /// A number inside of a list or an object, which are stored as their text, as it was written, where its
  /// value would be written otherwise.
  case number(String, ImportValue)
  case list([ImportValue])
  /// A nested object; its fields in the order of the file.
  case record([ImportField])
}

extension ImportValue {
  /// The kind of the value, for use inside a message: "a number", "a list".
  package var kindDescription: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .real, .number: "a number"
    case .text: "text"
    case .list: "a list"
    case .record: "an object"
    }
  }

  /// The value as a field of its own, outside of the list or object that it was written in.
  var asField: ImportValue {
    if case .number(_, let value) = self { value } else { self }
  }
}

extension String {
  /// The text with marks in place of characters that a terminal could obey, at most 40 characters long, each
  /// with few combining marks. Complexity: O(1), however long the text is.
  package var shownInMessage: String {
    let beginning = prefix(40).unicodeScalars.prefix(160)
    let shown = String(beginning).markingHarmful()
    return beginning.endIndex < endIndex ? shown + "…" : shown
  }
}

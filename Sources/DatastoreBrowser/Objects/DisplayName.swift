import DatastoreCore

/// The names of objects as texts; an `ObjectLabel` decides which properties they come from.
enum DisplayName {
  /// The name of an object: the value of its naming attribute, or else its key.
  static func name(_ value: Value, key: RowKey) -> String {
    switch value {
    case .text(let text) where !text.isEmpty:
      String(String.UnicodeScalarView(text.unicodeScalars.prefix(CellContent.limit)))
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    default: placeholder(key: key)
    }
  }

  /// Whether a text can be a name: a JSON object or array cannot.
  static func isName(_ text: String) -> Bool {
    let value = Value.text(text)
    return !text.isEmpty && value.jsonMembers == nil && value.jsonElements == nil
  }

  /// The placeholder for an object without a name, or whose name is not known yet.
  static func placeholder(key: RowKey) -> String { DanglingKey.isOne(key) ? "…" : "#\(key)" }
}

import DatastoreCore

/// Names of objects as texts; which properties they come from is a `ObjectLabel`.
enum DisplayName {
  /// The name of an object: the value of its naming attribute, else its key.
  static func name(_ value: Value, key: RowKey) -> String {
    switch value {
    case .text(let text) where !text.isEmpty:
      String(String.UnicodeScalarView(text.unicodeScalars.prefix(CellContent.limit)))
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    default: placeholder(key: key)
    }
  }

  /// Whether a text can be what an object is called: an object or array of JSON calls nothing by a name.
  static func isName(_ text: String) -> Bool {
    let value = Value.text(text)
    return !text.isEmpty && value.jsonMembers == nil && value.jsonElements == nil
  }

  /// The placeholder for an object without a name, or while it is not known.
  static func placeholder(key: RowKey) -> String { DanglingKey.isOne(key) ? "…" : "#\(key)" }
}

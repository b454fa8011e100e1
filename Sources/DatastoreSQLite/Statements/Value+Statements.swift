import DatastoreCore

/// Values of statements whose kind is known.
extension Value {
  /// The text itself, or nothing.
  var plainText: String {
    if case .text(let text) = self { return text }
    return ""
  }

  /// An integer, or 0.
  var wholeNumber: Int {
    if case .integer(let integer) = self { return Int(integer) }
    return 0
  }
}

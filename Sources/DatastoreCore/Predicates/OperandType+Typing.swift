import Basics

/// Values typed into a separate field: without quotes, because the type is known.
extension OperandType {
  /// Parses a typed text as a value for an operand of this type; nil when it does not fit, in which case
  /// `expected` describes a fitting one.
  ///
  /// - Parameter hint: the type of a third-party file's column, whose values are taken literally.
  package func value(typed text: String, hint: AttributeType? = nil) -> Value? {
    switch self {
    case .attribute(.string), .attribute(.url): return .text(text)
    case .attribute(.boolean): return Self.truth(text).map { .integer($0 ? 1 : 0) }
    case .storedDate(.text): return Self.quoted(text) ?? coerced(.text(text))
    case .attribute(.date), .attribute(.calendarDate), .attribute(.uuid), .attribute(.decimal),
      .storedDate:
      if let value = coerced(.text(text)), !value.isNull { return value }
      return Self.number(text).flatMap(coerced)
    case .attribute(.data), .attribute(.coded): return Self.literal(text).flatMap(coerced)
    case .storedText: return Self.quoted(text) ?? .text(text)
    case .storedNumber:
      let value: Value = Self.number(text) ?? Self.literal(text) ?? .text(text)
      return coerced(value)
    case .constant, .attribute(.undefined):
      if hint == .string || hint == .url { return Self.quoted(text) ?? .text(text) }
      if hint == .boolean, let truth = Self.truth(text) { return .integer(truth ? 1 : 0) }
      return Self.number(text) ?? Self.literal(text) ?? .text(text)
    case .key, .number, .attribute: return Self.number(text).flatMap(coerced)
    }
  }

  /// A value in typed form, which parses back as the same value; except NULL, which cannot be typed.
  package func typed(_ value: Value, hint: AttributeType? = nil) -> String {
    switch (value, self) {
    case (.null, _): return ""
    case (.text(let text), _):
      if self.value(typed: text, hint: hint) == value { return text }
    case (.real(let seconds), .attribute(.date)):
      if let date = ISODate.format(seconds) {
        return date.hasSuffix("T00:00:00Z") ? String(date.dropLast(10)) : date
      }
    case (_, .storedDate(let convention)):
      if let moment = convention.exactMoment(value) {
        return moment.description.hasSuffix(" 00:00:00") ? moment.day : moment.description
      }
    case (.blob(let data), .attribute(.uuid)) where data.count == 16:
      return String(PredicateFormatter.plainText(value, as: self).dropFirst().dropLast())
    default: break
    }
    return PredicateFormatter.plainText(value, as: self)
  }

  private static func truth(_ text: String) -> Bool? {
    switch text.trimmed.lowercased() {
    case "true", "yes", "1": true
    case "false", "no", "0": false
    default: nil
    }
  }

  /// The number that a text is.
  static func number(_ text: String) -> Value? {
    let text = text.trimmed
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let tokens = PredicateLexer.tokens(of: String(digits))
    guard tokens.count == 2, case .number = tokens[0].kind else { return nil }
    if let integer = Int64(text) { return .integer(integer) }
    return Double(text).map { .real($0) }
  }

  private static func literal(_ text: String) -> Value? {
    let tokens = PredicateLexer.tokens(of: text)
    guard tokens.count == 2 else { return nil }
    switch tokens[0].kind {
    case .text(let inside): return .text(inside)
    case .blob(let data): return .blob(data)
    default: return nil
    }
  }

  /// The value of a text between double quotes.
  private static func quoted(_ text: String) -> Value? {
    guard text.begins(with: "\""), case .text(let inside)? = literal(text) else { return nil }
    return .text(inside)
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace ?? false { text.removeFirst() }
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return String(text)
  }
}

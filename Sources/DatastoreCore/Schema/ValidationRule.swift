import Basics
import Foundation

/// A rule for the values of an attribute, besides their type. A missing value breaks none.
///
/// Checked for new and changed objects before they are saved. Ranges and lengths that SQL can express are
/// also `CHECK` constraints in native files, so other programs have to keep them.
public enum ValidationRule: Sendable, Hashable, Codable {
  /// The least and the greatest stored value; nil for no limit.
  case range(minimum: Value?, maximum: Value?)
  /// The least and the greatest number of characters (Unicode scalars, as SQLite counts them) or bytes; nil
  /// for no limit.
  case length(minimum: Int?, maximum: Int?)
  /// A regular expression that must match the whole text.
  case matches(String)
  /// A mail address, as far as its form shows.
  case email
}

extension ValidationRule {
  /// Whether a stored value of an attribute satisfies the rule. O(length); a regular expression that takes
  /// too many steps counts as not satisfied.
  package func accepts(_ value: Value, of type: AttributeType) -> Bool {
    if value.isNull { return true }
    switch self {
    case .range(let minimum, let maximum):
      return !(minimum.map { type.isOrdered(value, before: $0) } ?? false)
        && !(maximum.map { type.isOrdered($0, before: value) } ?? false)
    case .length(let minimum, let maximum):
      guard let length = Self.length(of: value) else { return false }
      return length >= minimum ?? 0 && length <= maximum ?? .max
    case .matches(let pattern):
      guard case .text(let text) = value else { return false }
      return (try? RegularExpression.matches(text, pattern)) ?? false
    case .email:
      guard case .text(let text) = value else { return false }
      return Self.isMailAddress(text)
    }
  }

  /// As SQLite's `length()` counts: a text ends with its first NUL.
  private static func length(of value: Value) -> Int? {
    switch value {
    case .text(let text): text.unicodeScalars.prefix { $0 != "\0" }.count
    case .blob(let data): data.count
    default: nil
    }
  }

  /// `name@domain.top`, without white space.
  private static func isMailAddress(_ text: String) -> Bool {
    let sides = text.parts(at: "@")
    guard sides.count == 2, !sides[0].isEmpty,
      !text.unicodeScalars.contains(where: \.properties.isWhitespace)
    else { return false }
    let labels = sides[1].parts(at: ".")
    return labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
  }

  /// Whether it is a constraint of the column in native files, which every SQLite interprets alike.
  package func isConstraint(of type: AttributeType) -> Bool {
    switch self {
    case .range(let minimum, let maximum):
      type != .decimal && [minimum, maximum].allSatisfy { $0?.hasExactLiteral ?? true }
    case .length: true
    case .matches, .email: false
    }
  }

  /// The fault of the rule for an attribute of a type, as the end of a sentence; nil if there is none.
  func fault(of type: AttributeType) -> String? {
    switch self {
    case .range(let minimum, let maximum):
      guard type.isOrdered, type != .undefined else {
        return "\(type.rawValue) values have no order"
      }
      if minimum == nil, maximum == nil { return "the range has no limit" }
      if let minimum, let maximum, type.isOrdered(maximum, before: minimum) {
        return "its maximum is less than its minimum"
      }
    case .length(let minimum, let maximum):
      guard type == .string || type == .url || type == .data else {
        return "\(type.rawValue) values have no length"
      }
      if minimum == nil, maximum == nil { return "the length has no limit" }
      if minimum ?? 0 < 0 || maximum ?? .max < minimum ?? 0 {
        return "its maximum is less than its minimum, or its minimum less than 0"
      }
    case .matches(let pattern):
      guard type == .string || type == .url else { return "\(type.rawValue) values are not text" }
      if !RegularExpression.isValid(pattern) {
        return "“\(pattern)” is not a regular expression"
      }
    case .email:
      if type != .string { return "\(type.rawValue) values are not text" }
    }
    return nil
  }
}

extension ValidationRule {
  /// The requirement on a value, after “must”: `be from 0 to 150`, `have 1 to 80 characters`.
  package func demand(of type: AttributeType) -> String {
    switch self {
    case .range: "be \(words(of: type))"
    case .length: "have \(words(of: type))"
    case .matches(let pattern): "match “\(pattern)”"
    case .email: "be a mail address"
    }
  }

  /// The rule in a list of remarks: `from 0 to 150`, `1 to 80 characters`.
  package func words(of type: AttributeType) -> String {
    switch self {
    case .range(let minimum, let maximum):
      let low = minimum.map(type.text)
      let high = maximum.map(type.text)
      return switch (low, high) {
      case (let low?, let high?): low == high ? low : "from \(low) to \(high)"
      case (let low?, nil): "at least \(low)"
      case (_, let high?): "at most \(high)"
      case (nil, nil): "anything"
      }
    case .length(let minimum, let maximum):
      let unit = type == .data ? "byte" : "character"
      func count(_ number: Int) -> String { "\(number) \(unit)\(number == 1 ? "" : "s")" }
      return switch (minimum, maximum) {
      case (let low?, let high?):
        low == high ? "exactly \(count(low))" : "\(low) to \(count(high))"
      case (let low?, nil): "at least \(count(low))"
      case (_, let high?): "at most \(count(high))"
      case (nil, nil): "any length"
      }
    case .matches(let pattern): return "matches “\(pattern)”"
    case .email: return "mail address"
    }
  }

  /// A limit in a form that people can read in a lock.
  private static func hashField(_ limit: Value?) -> String {
    guard let limit else { return "" }
    if case .real(let real) = limit, limit.hasExactLiteral { return "r\(real)" }
    return EntityHash.text(of: limit)
  }

  /// The fields of its line in a fingerprint. Must never change, because locks and files contain it.
  var hashFields: [String] {
    switch self {
    case .range(let minimum, let maximum):
      ["range", Self.hashField(minimum), Self.hashField(maximum)]
    case .length(let minimum, let maximum):
      ["length", minimum.map(String.init) ?? "", maximum.map(String.init) ?? ""]
    case .matches(let pattern): ["matches", pattern]
    case .email: ["email"]
    }
  }
}

extension AttributeDescription {
  /// The faults of its rules, each the end of a sentence.
  var ruleFaults: [String] {
    rules.compactMap { rule in
      rule.fault(of: type)
        ?? (rule.accepts(defaultValue, of: type)
          ? nil : "the default \(type.text(of: defaultValue)) must \(rule.demand(of: type))")
    }
  }

  /// The rules that are constraints of its column, in the order of the model.
  package var constraints: [ValidationRule] { rules.filter { $0.isConstraint(of: type) } }
}

extension AttributeType {
  /// Whether a stored value comes before another.
  fileprivate func isOrdered(_ value: Value, before other: Value) -> Bool {
    if self == .decimal, let left = Decimal(stored: value), let right = Decimal(stored: other) {
      return left < right
    }
    return Value.compare(value, other) == .ascending
  }

  /// A stored value in a sentence; long texts are cut.
  package func text(of value: Value) -> String {
    switch (value, self) {
    case (.text(let text), .decimal): text
    case (.text(let text), _):
      Quoting.json(text.count > 40 ? text.prefix(40) + "…" : text) {
        $0.properties.generalCategory == .control
      }
    default: readableText(of: value) ?? value.description
    }
  }
}

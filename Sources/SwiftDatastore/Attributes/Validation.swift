public import DatastoreCore

/// Rules for the values of an attribute: the `validate:` of a wrapper.
///
/// ```swift
/// @Attribute.NotOptional(validate: .range(0...150)) var age: Int = 0
/// @Attribute.NotOptional(validate: [.length(1...80), .matches("[^<>]*")]) var name: String
/// @Attribute.Optional(validate: .email) var email: String?
/// ```
///
/// The rules are checked when new and changed objects are saved: `ValidationError` names each object and
/// property. A missing value breaks no rule. In native files, ranges and lengths are also constraints of the
/// table (`CHECK`), so other writers of the file have to keep them, and they are part of the schema: a model
/// that gains such a rule migrates the file, which fails if stored values break it. Only this library checks
/// regular expressions, mail addresses and ranges of decimals, for objects saved from then on.
///
/// For rules about several properties override `DatastoreObject.validate()`.
public struct Validation<T: AttributeValueType>: Sendable, ExpressibleByArrayLiteral {
  @usableFromInline let rules: [ValidationRule]

  @usableFromInline
  init(rules: [ValidationRule]) {
    self.rules = rules
  }

  /// Combines several rules; all must hold.
  public init(arrayLiteral elements: Validation...) {
    rules = elements.flatMap(\.rules)
  }
}

extension Validation where T: Comparable {
  /// The value is within both limits, inclusive. Text is compared by its bytes.
  public static func range(_ range: ClosedRange<T>) -> Validation {
    Validation(rules: [
      .range(minimum: range.lowerBound.storedValue, maximum: range.upperBound.storedValue)
    ])
  }

  /// The value is not less than the limit.
  public static func range(_ range: PartialRangeFrom<T>) -> Validation {
    Validation(rules: [.range(minimum: range.lowerBound.storedValue, maximum: nil)])
  }

  /// The value is not greater than the limit.
  public static func range(_ range: PartialRangeThrough<T>) -> Validation {
    Validation(rules: [.range(minimum: nil, maximum: range.upperBound.storedValue)])
  }
}

/// A type whose values have a length: texts and data.
public protocol MeasuredAttributeValue: AttributeValueType {}

extension Validation where T: MeasuredAttributeValue {
  /// The number of characters of a text, or bytes of data. Characters are Unicode scalars, as SQLite counts
  /// them: a flag is two.
  public static func length(_ range: ClosedRange<Int>) -> Validation {
    Validation(rules: [.length(minimum: range.lowerBound, maximum: range.upperBound)])
  }

  /// The least number of characters or bytes.
  public static func length(_ range: PartialRangeFrom<Int>) -> Validation {
    Validation(rules: [.length(minimum: range.lowerBound, maximum: nil)])
  }

  /// The greatest number of characters or bytes.
  public static func length(_ range: PartialRangeThrough<Int>) -> Validation {
    Validation(rules: [.length(minimum: nil, maximum: range.upperBound)])
  }
}

extension Validation where T == String {
  /// A regular expression matches the whole text, as with the operator `MATCHES`.
  ///
  /// - Parameter pattern: the expression, in the syntax of ICU.
  public static func matches(_ pattern: String) -> Validation {
    Validation(rules: [.matches(pattern)])
  }

  /// The text has the form `name@domain.top`.
  public static var email: Validation { Validation(rules: [.email]) }
}

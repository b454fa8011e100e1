public import DatastoreCore

/// What the values of an attribute must be like: the `validate:` of a wrapper.
///
/// ```swift
/// @Attribute.NotOptional(validate: .range(0...150)) var age: Int = 0
/// @Attribute.NotOptional(validate: [.length(1...80), .matches("[^<>]*")]) var name: String
/// @Attribute.Optional(validate: .email) var email: String?
/// ```
///
/// New and changed objects are asked when they are saved: `ValidationError` names each object and property. A
/// missing value breaks no rule. In a file that this library makes, ranges and lengths are also constraints
/// of the table (`CHECK`), so that whatever else writes the file keeps them, and part of what a file must
/// agree with: a model that gains such a rule migrates the file, which fails where stored values break it.
/// Regular expressions, mail addresses and ranges of decimals are checked by this library alone, for what is
/// saved from then on.
///
/// For rules about several properties override `DatastoreObject.validate()`.
public struct Validation<T: AttributeValueType>: Sendable, ExpressibleByArrayLiteral {
  @usableFromInline let rules: [ValidationRule]

  @usableFromInline
  init(rules: [ValidationRule]) {
    self.rules = rules
  }

  /// All of several rules.
  public init(arrayLiteral elements: Validation...) {
    rules = elements.flatMap(\.rules)
  }
}

extension Validation where T: Comparable {
  /// A value within both limits, which are part of it. Text is compared by its bytes.
  public static func range(_ range: ClosedRange<T>) -> Validation {
    Validation(rules: [
      .range(minimum: range.lowerBound.storedValue, maximum: range.upperBound.storedValue)
    ])
  }

  /// A value that is not less than the limit.
  public static func range(_ range: PartialRangeFrom<T>) -> Validation {
    Validation(rules: [.range(minimum: range.lowerBound.storedValue, maximum: nil)])
  }

  /// A value that is not greater than the limit.
  public static func range(_ range: PartialRangeThrough<T>) -> Validation {
    Validation(rules: [.range(minimum: nil, maximum: range.upperBound.storedValue)])
  }
}

/// A type whose values have a length: texts and data.
public protocol MeasuredAttributeValue: AttributeValueType {}

extension Validation where T: MeasuredAttributeValue {
  /// So many characters of a text, or bytes of data. Characters are Unicode scalars, as SQLite counts them: a
  /// flag is two.
  public static func length(_ range: ClosedRange<Int>) -> Validation {
    Validation(rules: [.length(minimum: range.lowerBound, maximum: range.upperBound)])
  }

  /// At least so many.
  public static func length(_ range: PartialRangeFrom<Int>) -> Validation {
    Validation(rules: [.length(minimum: range.lowerBound, maximum: nil)])
  }

  /// At most so many.
  public static func length(_ range: PartialRangeThrough<Int>) -> Validation {
    Validation(rules: [.length(minimum: nil, maximum: range.upperBound)])
  }
}

extension Validation where T == String {
  /// A text that a regular expression matches as a whole, as the operator `MATCHES` does.
  ///
  /// - Parameter pattern: the expression, in the syntax of ICU.
  public static func matches(_ pattern: String) -> Validation {
    Validation(rules: [.matches(pattern)])
  }

  /// A text of the form `name@domain.top`.
  public static var email: Validation { Validation(rules: [.email]) }
}

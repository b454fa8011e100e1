import Basics
import DatastoreCore
import Foundation

/// Computed numbers: means, bounds of intervals.
extension ValueFormat {
  /// A number of an attribute as text for people: a date, or at most 15 digits.
  func shown(_ number: Double) -> String {
    date(near: number) ?? Self.rounded(number)
  }

  /// A value of a column as text beside means and sums: numbers with grouped digits.
  func grouped(_ value: Value) -> String {
    let text = cell(value).text
    // Decimals of many digits are stored as text.
    let isNumber = value.number != nil || type == .decimal
    return isNumber && !isDate ? NumberText.grouped(text) : text
  }

  /// A number as text, with at most 15 digits: further ones are the noise of doubles.
  static func rounded(_ number: Double) -> String {
    let value = digits(15, of: number)
    if value == value.rounded(), value.magnitude < 1e15 { return CountText.grouped(Int(value)) }
    return NumberText.grouped(String(value))
  }

  /// A mean or a deviation without digits that say nothing: ten of them, or six decimals if that is more,
  /// but at most 15.
  static func rounded(mean number: Double) -> Double {
    guard number.isFinite, number != 0 else { return number }
    let whole = Int(log10(number.magnitude).rounded(.down)) + 1
    return digits(min(max(10, whole + 6), 15), of: number)
  }

  /// The number rounded to this many digits.
  private static func digits(_ count: Int, of number: Double) -> Double {
    Double(String(format: "%.\(count - 1)e", number)) ?? number
  }
}

/// Values for derived tables.
extension ValueFormat {
  /// A value of the column as a derived table stores it beside values of other kinds: numbers and texts
  /// unchanged, others as their shown text.
  func kept(_ value: Value) -> Value {
    switch value {
    case .null, .text: value
    // A number of single precision with its own digits.
    case .real(let real) where type == .float && !isDate:
      .real(Double(type.digits(of: real)) ?? real)
    case .integer, .real:
      isDate || type == .boolean || named(value) != value ? .text(cell(value).text) : value
    case .blob: .text(cell(value).text)
    }
  }

  /// An aggregate of the column as a derived table stores it.
  func kept(_ value: Value, of aggregate: DatastoreCore.Predicate.Aggregate) -> Value {
    switch aggregate {
    case .sum: return computed(value)
    case .average:
      guard let number = value.number, date(near: number) == nil else { return computed(value) }
      return .real(Self.rounded(mean: number))
    case .minimum, .maximum: return kept(value)
    }
  }

  /// A computed number of the column: whole numbers as they are, others with 15 digits, or a date as text.
  func computed(_ value: Value) -> Value {
    guard let number = value.number else { return value }
    if let date = date(near: number) { return .text(date) }
    if case .integer = value { return value }
    return .real(Self.digits(15, of: number))
  }
}

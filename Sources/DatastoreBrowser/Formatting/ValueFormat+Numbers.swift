import Basics
import DatastoreCore
import Foundation

/// Computed numbers: means, bounds of intervals.
extension ValueFormat {
  /// A number of an attribute as text for people: a date, or at most ten digits.
  func shown(_ number: Double) -> String {
    date(near: number) ?? Self.rounded(number)
  }

  /// A value of a column as text beside means and sums: numbers with grouped digits.
  func grouped(_ value: Value) -> String {
    let text = cell(value).text
    return value.number == nil || isDate ? text : NumberText.grouped(text)
  }

  /// Rounds to at most ten digits: a mean is no more exact than that.
  static func rounded(_ number: Double) -> String {
    let value = tenDigits(number)
    if value == value.rounded(), value.magnitude < 1e15 { return CountText.grouped(Int(value)) }
    return NumberText.grouped(String(value))
  }

  /// The number rounded to ten digits.
  static func tenDigits(_ number: Double) -> Double {
    guard number.isFinite, number != 0 else { return number }
    let digits = 9 - Int(log10(number.magnitude).rounded(.down))
    guard digits < 300, digits > -300 else { return number }
    var scale = 1.0
    for _ in 0..<abs(digits) { scale *= 10 }
    return digits >= 0 ? (number * scale).rounded() / scale : (number / scale).rounded() * scale
  }
}

/// Values for derived tables.
extension ValueFormat {
  /// A value of the column as a derived table stores it beside values of other kinds: numbers and texts
  /// unchanged, others as their shown text.
  func kept(_ value: Value) -> Value {
    switch value {
    case .null, .text: value
    case .integer, .real:
      isDate || type == .boolean || named(value) != value ? .text(cell(value).text) : value
    case .blob: .text(cell(value).text)
    }
  }

  /// A computed number of the column: rounded for people, or the text of a date.
  func computed(_ number: Double?) -> Value {
    guard let number else { return .null }
    return date(near: number).map { .text($0) } ?? .real(Self.tenDigits(number))
  }
}

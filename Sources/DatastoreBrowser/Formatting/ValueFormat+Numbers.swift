import Basics
import DatastoreCore
import Foundation

/// Numbers that were computed: means, bounds of intervals.
extension ValueFormat {
  /// A number of an attribute as people read it: a date, or at most ten digits.
  func shown(_ number: Double) -> String {
    date(near: number) ?? Self.rounded(number)
  }

  /// A value of a column as people read it beside means and sums: numbers with their thousands apart.
  func grouped(_ value: Value) -> String {
    let text = cell(value).text
    return value.number == nil || isDate ? text : NumberText.grouped(text)
  }

  /// At most ten digits: a mean has no more meaning than that.
  static func rounded(_ number: Double) -> String {
    let value = tenDigits(number)
    if value == value.rounded(), value.magnitude < 1e15 { return CountText.grouped(Int(value)) }
    return NumberText.grouped(String(value))
  }

  /// The number that a text of at most ten digits means.
  static func tenDigits(_ number: Double) -> Double {
    guard number.isFinite, number != 0 else { return number }
    let digits = 9 - Int(log10(number.magnitude).rounded(.down))
    guard digits < 300, digits > -300 else { return number }
    var scale = 1.0
    for _ in 0..<abs(digits) { scale *= 10 }
    return digits >= 0 ? (number * scale).rounded() / scale : (number / scale).rounded() * scale
  }
}

/// Values that a derived table keeps.
extension ValueFormat {
  /// A value of the column where other kinds of values are beside it: numbers and texts as they are, others
  /// as the text that they show.
  func kept(_ value: Value) -> Value {
    switch value {
    case .null, .text: value
    case .integer, .real:
      isDate || type == .boolean || named(value) != value ? .text(cell(value).text) : value
    case .blob: .text(cell(value).text)
    }
  }

  /// A computed number of the column: rounded as people read it, a date as its text.
  func computed(_ number: Double?) -> Value {
    guard let number else { return .null }
    return date(near: number).map { .text($0) } ?? .real(Self.tenDigits(number))
  }
}

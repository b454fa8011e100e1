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
    guard number.isFinite, number != 0 else { return number == 0 ? "0" : String(number) }
    let digits = 9 - Int(log10(number.magnitude).rounded(.down))
    guard digits < 300, digits > -300 else { return String(number) }
    var scale = 1.0
    for _ in 0..<abs(digits) { scale *= 10 }
    let value =
      digits >= 0 ? (number * scale).rounded() / scale : (number / scale).rounded() * scale
    if value == value.rounded(), value.magnitude < 1e15 { return CountText.grouped(Int(value)) }
    return NumberText.grouped(String(value))
  }
}

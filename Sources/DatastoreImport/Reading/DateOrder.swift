import DatastoreCore

/// The order of day and month in dates whose year comes last: 1/2/2024.
package enum DateOrder: String, CaseIterable, Sendable {
  /// 1 February.
  case dayFirst = "day-first"
  /// 2 January.
  case monthFirst = "month-first"
}

/// Days and moments as tables write them.
///
/// Besides ISO 8601 (`ISODate`) these are 2024/05/01, 31.12.2024 with points, in which the day comes first,
/// and 12/31/2024 or 31-12-2024, whose order applies to the whole column. A time may follow after a space or
/// T. Years have four digits.
enum TableDate {
  /// The text in ISO 8601; nil if it is not a date in that order, or if the order is needed and not given.
  static func iso(_ text: String, _ order: DateOrder?) -> String? {
    guard let parts = Parts(text), let (year, month, day) = parts.date(order) else { return nil }
    let iso = "\(Moment.day(year, month, day))\(parts.rest)"
    return ISODate.parse(iso) == nil ? nil : iso
  }

  /// The orders in which the text is a date; nil if the order does not matter.
  static func orders(_ text: String) -> [DateOrder]? {
    guard let parts = Parts(text), parts.needsOrder else { return nil }
    return DateOrder.allCases.filter { iso(text, $0) != nil }
  }

  /// Whether an ISO text has no time.
  static func isDay(_ iso: String) -> Bool { iso.utf8.count == 10 }

  /// Three numbers with the same separator.
  private struct Parts {
    private let numbers: [Int]
    private let separator: UInt8
    private let isYearFirst: Bool
    /// The text after them.
    let rest: Substring

    init?(_ text: String) {
      let bytes = text.utf8
      guard let first = bytes.first, Byte.isDigit(first), bytes.count >= 8 else { return nil }
      var numbers: [Int] = []
      var widths: [Int] = []
      var separator: UInt8?
      var rest = bytes[...]
      while true {
        let digits = rest.prefix(5).prefix(while: Byte.isDigit)
        guard [1, 2, 4].contains(digits.count), let number = Int(Substring(digits)) else {
          return nil
        }
        numbers.append(number)
        widths.append(digits.count)
        rest = rest[digits.endIndex...]
        if numbers.count == 3 { break }
        guard let sign = rest.popFirst(), sign == (separator ?? sign),
          sign == Byte.minus || sign == Byte.slash || sign == Byte.point
        else { return nil }
        separator = sign
      }
      guard let separator, widths[1] < 4, (widths[0] == 4) != (widths[2] == 4) else { return nil }
      if let sign = rest.first, sign != Byte.space, sign != UInt8(ascii: "T") { return nil }
      self.numbers = numbers
      self.separator = separator
      isYearFirst = widths[0] == 4
      // ISO 8601 has two digits for months and days.
      if isYearFirst, separator == Byte.minus, widths != [4, 2, 2] { return nil }
      self.rest = Substring(rest)
    }

    var needsOrder: Bool { !isYearFirst && separator != Byte.point }

    func date(_ order: DateOrder?) -> (Int, Int, Int)? {
      if isYearFirst { return (numbers[0], numbers[1], numbers[2]) }
      switch needsOrder ? order : .dayFirst {
      case .dayFirst: return (numbers[2], numbers[1], numbers[0])
      case .monthFirst: return (numbers[2], numbers[0], numbers[1])
      case nil: return nil
      }
    }
  }
}

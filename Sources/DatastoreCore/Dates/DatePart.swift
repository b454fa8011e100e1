import Basics

/// A part of a date for grouping rows: the last step of a path, as in `created.@month`.
///
/// In UTC; texts are taken as written. Values that are not dates have no parts.
package enum DatePart: String, CaseIterable, Hashable, Sendable {
  /// A number: 2024.
  case year
  /// A text that sorts by time: `2024-05`.
  case month
  /// A text: `2024-05-01`.
  case day
  /// A text that sorts by time: `2024-Q2`.
  case quarter
  /// The week of ISO 8601, which begins on a Monday, a text that sorts by time: `2024-W18`.
  case week
  /// A number from 1, Monday, to 7, Sunday.
  case weekday
  /// A number from 0 to 23; dates without a time have none.
  case hour

  /// The step of a path: `@month`.
  package var step: String { "@" + rawValue }

  package init?(step: String) {
    guard step.begins(with: "@") else { return nil }
    self.init(rawValue: String(step.dropFirst()))
  }

  /// Its number in SQL statements.
  package var code: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The type of its values.
  var type: AttributeType {
    switch self {
    case .year, .weekday, .hour: .integer64
    case .month, .quarter, .week: .string
    case .day: .calendarDate
    }
  }

  /// Whether its values are numbers; others are texts.
  package var isNumber: Bool { type == .integer64 }

  /// All values from one to another, in chronological order; empty if one of them is not such a value, if the
  /// values are cyclic, like weekdays and hours, or if more than 100,000 days are between them. O(days
  /// between them).
  package func values(from first: Value, through last: Value) -> [Value] {
    guard let start = firstDay(of: first), let end = firstDay(of: last), start <= end,
      end - start <= 100_000
    else {
      return []
    }
    var values = [first]
    for day in start...end {
      let value = value(ofDay: day)
      if value != values.last { values.append(value) }
    }
    return values
  }

  /// The first day of a value, since 1970-01-01.
  private func firstDay(of value: Value) -> Int? {
    switch (self, value) {
    case (.year, .integer(let year)): return GregorianCalendar.days(Int(year), 1, 1)
    case (.month, .text(let text)), (.quarter, .text(let text)), (.week, .text(let text)):
      let parts = text.words(at: "-")
      guard parts.count == 2, let year = Int(parts[0]),
        let unit = Int(parts[1].drop { !$0.isNumber })
      else { return nil }
      if self == .month { return GregorianCalendar.days(year, unit, 1) }
      if self == .quarter { return GregorianCalendar.days(year, unit * 3 - 2, 1) }
      // The first week contains January 4.
      let fourth = GregorianCalendar.days(year, 1, 4)
      return fourth - GregorianCalendar.weekday(fourth) + 1 + (unit - 1) * 7
    case (.day, .text(let text)):
      let parts = text.words(at: "-").compactMap { Int($0) }
      return parts.count == 3 ? GregorianCalendar.days(parts[0], parts[1], parts[2]) : nil
    default: return nil
    }
  }

  /// The part of a value; NULL if that is not a date. O(1); for text O(length).
  package func value(of value: Value, _ convention: DateConvention) -> Value {
    if convention.isText {
      guard case .text(let text) = value, Moment(text) != nil else { return .null }
      return self.value(ofText: text)
    }
    guard let seconds = convention.seconds(of: value) else { return .null }
    let (days, second) = Moment.split(seconds)
    if self == .hour { return .integer(Int64(second / 3600)) }
    return self.value(ofDay: days)
  }

  /// - Parameter days: days since 1970-01-01.
  private func value(ofDay days: Int) -> Value {
    let (year, month, _) = GregorianCalendar.date(days)
    switch self {
    case .year: return .integer(Int64(year))
    case .month: return .text(Moment.padded(year, 4) + "-" + Moment.padded(month, 2))
    case .day: return .text(Moment.day(days))
    case .quarter: return .text(Moment.padded(year, 4) + "-Q\((month + 2) / 3)")
    case .week:
      let (year, week) = GregorianCalendar.week(days)
      return .text(Moment.padded(year, 4) + "-W" + Moment.padded(week, 2))
    case .weekday: return .integer(Int64(GregorianCalendar.weekday(days)))
    case .hour: return .null
    }
  }

  private func value(ofText text: String) -> Value {
    func number(_ digits: Range<Int>) -> Int {
      text.utf8.dropFirst(digits.lowerBound).prefix(digits.count)
        .reduce(0) { $0 * 10 + Int($1) - 48 }
    }
    switch self {
    case .year: return .integer(Int64(number(0..<4)))
    case .month: return .text(String(text.prefix(7)))
    case .day: return .text(String(text.prefix(10)))
    case .hour: return text.utf8.count >= 13 ? .integer(Int64(number(11..<13))) : .null
    case .quarter, .week, .weekday:
      return value(ofDay: GregorianCalendar.days(number(0..<4), number(5..<7), number(8..<10)))
    }
  }
}

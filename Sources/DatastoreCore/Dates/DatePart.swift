/// What rows are put together by, of a date: the last step of a path, as in `created.@month`.
///
/// In UTC; texts count as they are written. Values that are not dates have none.
package enum DatePart: String, CaseIterable, Hashable, Sendable {
  /// A number: 2024.
  case year
  /// A text that sorts by time: `2024-05`.
  case month
  /// A text: `2024-05-01`.
  case day

  /// The step of a path: `@month`.
  package var step: String { "@" + rawValue }

  package init?(step: String) {
    guard step.hasPrefix("@") else { return nil }
    self.init(rawValue: String(step.dropFirst()))
  }

  /// Its place in statements.
  package var code: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The type of its values.
  var type: AttributeType {
    switch self {
    case .year: .integer64
    case .month: .string
    case .day: .calendarDate
    }
  }

  /// The part of a value; NULL where that is not a date. O(1); of text O(length).
  package func value(of value: Value, _ convention: DateConvention) -> Value {
    if convention.isText {
      guard case .text(let text) = value, Moment(text) != nil else { return .null }
      return self.value(ofText: text)
    }
    guard let seconds = convention.seconds(of: value) else { return .null }
    let days = Moment.split(seconds).days
    let (year, month, _) = GregorianCalendar.date(days)
    switch self {
    case .year: return .integer(Int64(year))
    case .month: return .text(Moment.padded(year, 4) + "-" + Moment.padded(month, 2))
    case .day: return .text(Moment.day(days))
    }
  }

  private func value(ofText text: String) -> Value {
    switch self {
    case .year: .integer(text.utf8.prefix(4).reduce(0) { $0 * 10 + Int64($1) - 48 })
    case .month: .text(String(text.prefix(7)))
    case .day: .text(String(text.prefix(10)))
    }
  }
}

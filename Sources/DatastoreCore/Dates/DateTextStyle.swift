/// How a column writes dates as text: the variable parts of ISO 8601.
///
/// A plain value, without references, because a convention accompanies every cell that is shown.
package struct DateTextStyle: Hashable, Sendable {
  /// The separator between date and time; nil for dates without a time.
  let separator: Unicode.Scalar?
  let hasSeconds: Bool
  /// The number of fractional digits of the seconds.
  let fractionDigits: Int
  /// The zone after the time.
  let zone: Zone

  /// The notations for UTC, or no zone.
  enum Zone: Hashable, Sendable, CaseIterable {
    case none, letter, hours, digits, hoursAndMinutes

    var text: String {
      switch self {
      case .none: ""
      case .letter: "Z"
      case .hours: "+00"
      case .digits: "+0000"
      case .hoursAndMinutes: "+00:00"
      }
    }
  }

  /// Dates without a time: `2024-05-01`.
  package static let day = DateTextStyle()

  private init() {
    (separator, hasSeconds, fractionDigits, zone) = (nil, false, 0, .none)
  }

  /// The style of a date's text; nil for other texts.
  ///
  /// A text with a zone other than UTC has no style, because the order of such texts is not chronological.
  package init?(_ text: String) {
    guard Moment(text) != nil else { return nil }
    var rest = text.unicodeScalars.dropFirst(10)
    guard let separator = rest.popFirst() else {
      self = .day
      return
    }
    guard separator == "T" || separator == " " else { return nil }
    rest = rest.dropFirst(5)
    hasSeconds = rest.first == ":"
    if hasSeconds { rest = rest.dropFirst(3) }
    var digits = 0
    if rest.first == "." {
      digits = rest.dropFirst().prefix { ("0"..."9").contains($0) }.count
      rest = rest.dropFirst(digits + 1)
    }
    guard let zone = Zone.allCases.first(where: { $0.text == String(rest) }) else { return nil }
    self.separator = separator
    fractionDigits = digits
    self.zone = zone
  }

  /// A moment in this style, with more digits than usual if it needs them; nil for a time in a style of days
  /// only.
  package func text(of moment: Moment) -> String? {
    guard let separator else {
      return Moment.split(moment.seconds).second == 0 && moment.nanoseconds == 0 ? moment.day : nil
    }
    var digits = min(fractionDigits, 9)
    while moment.nanoseconds % Moment.power(9 - digits) != 0 { digits += 1 }
    let showsSeconds = hasSeconds || digits > 0 || moment.seconds % 60 != 0
    return moment.day + String(Character(separator))
      + moment.clock(seconds: showsSeconds, fraction: digits) + zone.text
  }

  /// The first day of 2001 in this style.
  package var example: String {
    guard let separator else { return "2001-01-01" }
    let moment = Moment(seconds: 978_307_200)
    return moment.day + String(Character(separator))
      + moment.clock(seconds: hasSeconds, fraction: min(fractionDigits, 9)) + zone.text
  }
}

extension DateTextStyle {
  /// Whether texts of both styles sort chronologically in one column.
  package func isOrdered(with other: DateTextStyle) -> Bool {
    if separator == nil || other.separator == nil { return true }
    return separator == other.separator && zone == other.zone && hasSeconds == other.hasSeconds
  }

  /// Whether a text is a date in this style, apart from the digits of its fraction.
  func isLike(_ text: String) -> Bool {
    guard let other = DateTextStyle(text) else { return false }
    return separator == other.separator && isOrdered(with: other)
  }
}

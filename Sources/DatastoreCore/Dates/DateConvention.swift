import Basics

/// How a column of numbers or texts stores dates.
///
/// The convention does not change the values: rows hold them, SQL compares them, saves and conflicts use
/// them. It defines how a value is shown, how a typed date is converted, and how rows are grouped by year and
/// month.
package enum DateConvention: Hashable, Sendable {
  /// ISO 8601.
  case text(DateTextStyle)
  /// Since 1970-01-01.
  case unixSeconds, unixMilliseconds, unixMicroseconds, unixNanoseconds
  /// Microseconds since 1601-01-01.
  case webKit
  /// 100 nanoseconds since 1601-01-01.
  case fileTime
  /// Since 2001-01-01, as in programs for Apple's systems.
  case appleSeconds, appleNanoseconds
  /// Days since noon of November 24, 4714 BC.
  case julianDay
  /// Seconds since 2001-01-01 in native files, where every number is a date.
  case own

  /// The conventions for columns of numbers.
  package static let numeric: [DateConvention] = [
    .unixSeconds, .unixMilliseconds, .unixMicroseconds, .unixNanoseconds, .webKit, .fileTime,
    .appleSeconds, .appleNanoseconds, .julianDay,
  ]

  /// Its number in SQL statements, which ignores the style of a text.
  package var code: Int {
    switch self {
    case .text: 0
    case .own: 1
    case .unixSeconds, .unixMilliseconds, .unixMicroseconds, .unixNanoseconds, .webKit, .fileTime,
      .appleSeconds, .appleNanoseconds, .julianDay:
      2 + place
    }
  }

  private var place: Int {
    guard let place = Self.numeric.firstIndex(of: self) else {
      trap("The convention \(self) is missing in `DateConvention.numeric`.")
    }
    return place
  }

  package init?(code: Int) {
    switch code {
    case 0: self = .text(.day)
    case 1: self = .own
    case 2..<(2 + Self.numeric.count): self = Self.numeric[code - 2]
    default: return nil
    }
  }

  package var isText: Bool {
    if case .text = self { true } else { false }
  }

  /// The units in a second and the seconds from 1970 to its epoch; nil for texts and days.
  private var scale: (units: Int64, epoch: Int64)? {
    switch self {
    case .unixSeconds: (1, 0)
    case .unixMilliseconds: (1_000, 0)
    case .unixMicroseconds: (1_000_000, 0)
    case .unixNanoseconds: (1_000_000_000, 0)
    case .webKit: (1_000_000, -11_644_473_600)
    case .fileTime: (10_000_000, -11_644_473_600)
    case .appleSeconds, .own: (1, 978_307_200)
    case .appleNanoseconds: (1_000_000_000, 978_307_200)
    case .text, .julianDay: nil
    }
  }
}

/// From stored values to moments.
extension DateConvention {
  /// The moment of a value; nil if it does not fit the convention, or is not exactly a moment.
  ///
  /// `value(of:replacing:)` returns the same value again. O(1); for text O(length).
  package func moment(of value: Value) -> Moment? {
    guard let seconds = seconds(of: value) else { return nil }
    switch (self, value) {
    case (.text, .text(let text)): return Moment(text)
    case (_, .integer(let integer)):
      guard let (units, _) = scale else { break }
      let rest = (integer % units + units) % units
      return Moment(seconds: seconds, nanoseconds: rest * (1_000_000_000 / units))
    default: break
    }
    // The fewest digits that lead back to the same number.
    for digits in stride(from: 0, through: 9, by: 3) {
      guard let moment = rounded(value, seconds, digits: digits) else { continue }
      if self.value(of: moment, replacing: value) == value { return moment }
    }
    return nil
  }

  /// The moment of a number that need not be stored anywhere, to a thousandth of a second; nil if it does not
  /// fit the convention.
  package func moment(near number: Double) -> Moment? {
    seconds(of: .real(number)).flatMap { rounded(.real(number), $0, digits: 3) }
  }

  /// The whole seconds since 1970 of a value; nil if it does not fit the convention.
  ///
  /// In third-party columns, zero and numbers close to it mean “none”, and so do values far from any date
  /// that programs write.
  package func seconds(of value: Value) -> Int64? {
    switch (self, value) {
    case (.text, .text(let text)): return Moment(text)?.seconds
    case (.text, _), (_, .text), (_, .blob), (_, .null): return nil
    case (.julianDay, _):
      guard let days = value.number, Self.plausibleDays.contains(days) else { return nil }
      return Int64(((days + 0.5).rounded(.down) - 2_440_588) * 86_400)
        + Int64(Self.second(of: days))
    case (_, .integer(let integer)):
      guard let (units, epoch) = scale else { return nil }
      let rest = (integer % units + units) % units
      // The least numbers of nanoseconds have no whole second below them.
      let (below, isLess) = integer.subtractingReportingOverflow(rest)
      let (seconds, isMore) = (below / units).addingReportingOverflow(epoch)
      return isLess || isMore || !isPlausible(seconds) ? nil : seconds
    case (_, .real(let real)):
      guard let (units, epoch) = scale else { return nil }
      let seconds = (real / Double(units)).rounded(.down) + Double(epoch)
      guard abs(seconds) < 1e12, isPlausible(Int64(seconds)) else { return nil }
      return Int64(seconds)
    }
  }

  /// 1900-01-01 to 2199-12-31.
  private static let plausible: Range<Int64> = -2_208_988_800..<7_258_118_400
  private static let plausibleDays = 2_415_020.5..<2_524_593.5

  private func isPlausible(_ seconds: Int64) -> Bool {
    switch self {
    case .own, .text: return Moment.calendar.contains(seconds)
    case .unixMilliseconds, .unixMicroseconds, .unixNanoseconds, .appleNanoseconds:
      // Numbers of a coarser unit, in a column that mixes both.
      let epoch = scale?.epoch ?? 0
      return Self.plausible.contains(seconds) && abs(seconds - epoch) > 4_200_000
    case .unixSeconds, .appleSeconds:
      let epoch = scale?.epoch ?? 0
      return Self.plausible.contains(seconds) && abs(seconds - epoch) > 1
    case .webKit, .fileTime, .julianDay: return Self.plausible.contains(seconds)
    }
  }

  /// The second of the day of a Julian day.
  private static func second(of days: Double) -> Double {
    let shifted = days + 0.5
    return min(86_399, ((shifted - shifted.rounded(.down)) * 86_400).rounded(.down))
  }

  /// A number as a moment with a number of fractional digits.
  private func rounded(_ value: Value, _ seconds: Int64, digits: Int) -> Moment? {
    guard let number = value.number else { return nil }
    let rest: Double
    if self == .julianDay {
      let shifted = number + 0.5
      rest = (shifted - shifted.rounded(.down)) * 86_400 - Self.second(of: number)
    } else {
      guard let (units, epoch) = scale else { return nil }
      rest = (number - Double(seconds - epoch) * Double(units)) / Double(units)
    }
    let power = Double(Moment.power(digits))
    let part = (rest * power).rounded()
    guard part >= 0 else { return nil }
    if part >= power {
      return Moment.calendar.contains(seconds + 1) ? Moment(seconds: seconds + 1) : nil
    }
    return Moment(seconds: seconds, nanoseconds: Int64(part) * Moment.power(9 - digits))
  }
}

/// From moments to stored values.
extension DateConvention {
  /// The stored value of a moment, in the storage class of another value of the column and in the style of
  /// its text; nil if the convention cannot express it, such as half a second in whole seconds.
  package func value(of moment: Moment, replacing old: Value = .null) -> Value? {
    let exact = exactly(moment)
    switch (self, old) {
    case (.text(let style), .text(let text)):
      return ((DateTextStyle(text) ?? style).text(of: moment)).map { .text($0) }
    case (.text(let style), _): return style.text(of: moment).map { .text($0) }
    case (.appleSeconds, .integer), (.julianDay, .integer):
      return exact.map { .integer($0) } ?? .real(real(moment))
    case (.appleSeconds, _), (.julianDay, _), (.own, _), (_, .real): return .real(real(moment))
    default: return exact.map { .integer($0) }
    }
  }

  /// The value to compare a column of the convention with for a moment: exact if `value(of:)` is, otherwise
  /// between values of the column.
  package func comparable(_ moment: Moment) -> Value {
    switch self {
    case .text(let style):
      if let text = style.text(of: moment) { return .text(text) }
      return .text("\(moment)")
    case .own: return .real(real(moment))
    default: return exactly(moment).map { .integer($0) } ?? .real(real(moment))
    }
  }

  /// The moment of a constant that is the comparable value of a date; nil for other numbers.
  func exactMoment(_ value: Value) -> Moment? {
    guard let moment = moment(of: value), comparable(moment) == value else { return nil }
    return moment
  }

  /// The moment as a whole number of units.
  private func exactly(_ moment: Moment) -> Int64? {
    guard let (units, epoch) = scale else {
      guard self == .julianDay, moment.nanoseconds == 0, moment.seconds % 86_400 == 43_200 else {
        return nil
      }
      return (moment.seconds - 43_200) / 86_400 + 2_440_588
    }
    let width = 1_000_000_000 / units
    guard moment.nanoseconds % width == 0 else { return nil }
    let (whole, isHuge) = (moment.seconds - epoch).multipliedReportingOverflow(by: units)
    let (sum, isGreater) = whole.addingReportingOverflow(moment.nanoseconds / width)
    return isHuge || isGreater ? nil : sum
  }

  private func real(_ moment: Moment) -> Double {
    guard let (units, epoch) = scale else {
      // As SQLite computes it, if it can: from whole milliseconds.
      if moment.nanoseconds % 1_000_000 == 0 {
        let milliseconds = moment.seconds * 1000 + moment.nanoseconds / 1_000_000
        return Double(milliseconds + 210_866_760_000_000) / 86_400_000
      }
      let (days, second) = Moment.split(moment.seconds)
      let part = (Double(second) + Double(moment.nanoseconds) / 1e9) / 86_400
      return Double(days) + 2_440_587.5 + part
    }
    let width = 1_000_000_000 / units
    let (whole, rest) = moment.nanoseconds.quotientAndRemainder(dividingBy: width)
    return Double(moment.seconds - epoch) * Double(units) + Double(whole)
      + Double(rest) / Double(width)
  }
}

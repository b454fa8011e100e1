/// A moment in UTC, exact to a billionth of a second.
package struct Moment: Hashable, Sendable {
  /// Whole seconds since 1970-01-01 00:00.
  package let seconds: Int64
  /// From 0 to 999,999,999.
  package let nanoseconds: Int64

  package init(seconds: Int64, nanoseconds: Int64 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The whole seconds of the years 1 to 9999, which calendars show.
  static let calendar: Range<Int64> = -62_135_596_800..<253_402_300_800

  /// Parses a moment in ISO 8601; no zone means UTC. Ignores fractional digits after the ninth.
  package init?(_ text: String) {
    var text = text
    let read = text.withUTF8 { bytes -> (seconds: Int64, nanoseconds: Int64)? in
      guard let (seconds, fraction) = ISODate.scan(bytes), Self.calendar.contains(seconds) else {
        return nil
      }
      let digits = bytes[fraction.prefix(9)]
      let number = digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
      return (seconds, number * Self.power(9 - digits.count))
    }
    guard let read else { return nil }
    (seconds, nanoseconds) = read
  }

  /// Year, month, day, and the second of the day.
  package var parts: (year: Int, month: Int, day: Int, second: Int) {
    let (days, second) = Self.split(seconds)
    let (year, month, day) = GregorianCalendar.date(days)
    return (year, month, day, second)
  }

  /// Days since 1970-01-01 and the seconds of the day.
  static func split(_ seconds: Int64) -> (days: Int, second: Int) {
    let second = (seconds % 86_400 + 86_400) % 86_400
    return (Int((seconds - second) / 86_400), Int(second))
  }
}

extension Moment: CustomStringConvertible {
  /// The form for people, in UTC, with as few digits as possible: `2024-02-29 13:05:09.25`.
  package var description: String { "\(day) \(time)" }

  /// The form of standards and programs: `2024-02-29T13:05:09.250Z`.
  package var iso: String { "\(day)T\(time)Z" }

  /// `2024-02-29`.
  package var day: String { Self.day(Self.split(seconds).days) }

  /// `13:05:09`, with a fraction of three, six, seven or nine digits if needed.
  package var time: String {
    let digits = [0, 3, 6, 7, 9].first { nanoseconds % Self.power(9 - $0) == 0 } ?? 9
    return clock(seconds: true, fraction: digits)
  }

  /// The time of the day with a fraction of `digits` digits.
  func clock(seconds showsSeconds: Bool, fraction digits: Int) -> String {
    let second = Self.split(seconds).second
    var text = Self.padded(second / 3600, 2) + ":" + Self.padded(second / 60 % 60, 2)
    guard showsSeconds else { return text }
    text += ":" + Self.padded(second % 60, 2)
    if digits > 0 { text += "." + Self.padded(Int(nanoseconds / Self.power(9 - digits)), digits) }
    return text
  }

  static func day(_ days: Int) -> String {
    let (year, month, day) = GregorianCalendar.date(days)
    return self.day(year, month, day)
  }

  /// A day in ISO 8601: `2024-02-29`.
  package static func day(_ year: Int, _ month: Int, _ day: Int) -> String {
    padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
  }

  /// A number padded with leading zeros to a width.
  package static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Ten to a power from 0 to 9.
  static func power(_ exponent: Int) -> Int64 { powers[exponent] }

  private static let powers: [Int64] = (0...9).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}

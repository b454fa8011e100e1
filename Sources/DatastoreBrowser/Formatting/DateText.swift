/// A moment as people read it: `2024-02-29 13:05:09`, in UTC, with as many decimals as the number
/// says; whole days without a time are shown with it, since the type does not distinguish them.
struct DateText: Hashable, Sendable, CustomStringConvertible {
  let description: String

  /// Seconds from 2001-01-01 to 1970-01-01 and back.
  private static let offset = 978_307_200.0

  /// Nil for moments outside the years 1 to 9999, which are better shown as numbers.
  init?(secondsSince2001 seconds: Double) {
    let unix = seconds + Self.offset
    guard unix.isFinite, unix >= -62_135_596_800, unix < 253_402_300_800 else { return nil }
    // Milliseconds are what clocks and programs mean; more digits are the noise of doubles.
    var milliseconds = Int((unix * 1000).rounded())
    let days = Self.floorDivide(milliseconds, 86_400_000)
    milliseconds -= days * 86_400_000
    let (year, month, day) = Self.civil(days)
    let second = milliseconds / 1000
    var text = Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
    text += " " + Self.padded(second / 3600, 2) + ":" + Self.padded(second / 60 % 60, 2)
    text += ":" + Self.padded(second % 60, 2)
    if milliseconds % 1000 != 0 { text += "." + Self.padded(milliseconds % 1000, 3) }
    description = text
  }

  private static func floorDivide(_ a: Int, _ b: Int) -> Int {
    a >= 0 ? a / b : -((-a + b - 1) / b)
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Year, month and day of a number of days since 1970-01-01 in the Gregorian calendar: Howard
  /// Hinnant's `civil_from_days`, <https://howardhinnant.github.io/date_algorithms.html>.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }
}

/// The proleptic Gregorian calendar, as in ISO 8601 and SQLite.
///
/// After Howard Hinnant, <https://howardhinnant.github.io/date_algorithms.html>: a year starts in March, so
/// that the leap day is its last.
enum GregorianCalendar {
  /// Days since 1970-01-01.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let (era, yearOfEra) = floorDivide(shifted, 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The year, month and day of a number of days since 1970-01-01.
  static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, day) = floorDivide(days + 719_468, 146_097)
    let yearOfEra = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = (shifted + 2) % 12 + 1
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  /// The day of the week of a number of days since 1970-01-01, a Thursday: 1, Monday, to 7, Sunday.
  static func weekday(_ days: Int) -> Int { floorDivide(days + 3, 7).1 + 1 }

  /// The ISO 8601 week of a number of days since 1970-01-01: it belongs to the year of its Thursday.
  static func week(_ days: Int) -> (year: Int, week: Int) {
    let thursday = days - weekday(days) + 4
    let year = date(thursday).year
    return (year, (thursday - self.days(year, 1, 1)) / 7 + 1)
  }

  /// The number of days of a month.
  static func length(ofMonth month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func floorDivide(_ a: Int, _ b: Int) -> (Int, Int) {
    let remainder = ((a % b) + b) % b
    return ((a - remainder) / b, remainder)
  }
}

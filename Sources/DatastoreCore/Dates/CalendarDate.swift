import Basics

/// A date without a time and without a time zone, such as a birthday.
///
/// Years 0001 to 9999 of the proleptic Gregorian calendar. Stored as TEXT in ISO 8601, `1872-11-30`, which
/// other tools can read, and which sorts chronologically.
public struct CalendarDate: Hashable, Sendable {
  public let year: Int
  /// From 1 to 12.
  public let month: Int
  /// At least 1.
  public let day: Int

  /// Traps if the day does not exist.
  public init(year: Int, month: Int, day: Int) {
    require(
      (1...9999).contains(year) && (1...12).contains(month)
        && (1...GregorianCalendar.length(ofMonth: month, year)).contains(day),
      "There is no day \(year)-\(month)-\(day) between the years 1 and 9999.")
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Parses a day in the form of `description`; nil for other texts.
  public init?(_ text: String) {
    guard text.utf8.count == 10, let moment = Moment(text) else { return nil }
    (year, month, day) = GregorianCalendar.date(Moment.split(moment.seconds).days)
  }
}

extension CalendarDate: LosslessStringConvertible {
  /// The day in ISO 8601: `1872-11-30`.
  public var description: String {
    Moment.day(year, month, day)
  }
}

extension CalendarDate: Comparable {
  public static func < (a: Self, b: Self) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }
}

/// Encoded as its text.
extension CalendarDate: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let date = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "Expected a date such as 2024-05-01.")
    }
    self = date
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

package import Foundation

/// Dates as ISO 8601 writes them, within the years 0001 to 9999 of the Gregorian calendar.
///
/// Accepted are `2024-05-01` (midnight UTC) and `2024-05-01T09:30`, with optional seconds and
/// fraction, a space or small letter in place of `T`, and `Z`, `+02:00`, `+0200` or `+02` after it.
/// A time without a zone is UTC. Days that do not exist are refused, and so is the hour 24.
package enum ISODate {
  /// The date that `text` names; nil if it names none. Independent of locale and time zone.
  package static func parse(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { bytes in
      var scanner = Scanner(bytes: bytes)
      return scanner.date()
    }
  }

  private struct Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var offset = 0

    mutating func date() -> Date? {
      guard let year = number(digits: 4), year > 0, skip("-"),
        let month = number(digits: 2), (1...12).contains(month), skip("-"),
        let day = number(digits: 2), day > 0, day <= Self.days(in: month, of: year)
      else { return nil }
      // 730 791: the days from 0000-03-01 to 2001-01-01, the reference date of Date.
      let days = Self.daysSinceMarch0000(year: year, month: month, day: day) - 730_791
      var seconds = Double(days * 86_400)
      if offset == bytes.count { return Date(timeIntervalSinceReferenceDate: seconds) }
      guard skip("T") || skip("t") || skip(" "), let time = time() else { return nil }
      seconds += time.seconds
      guard let zone = zone(), offset == bytes.count else { return nil }
      return Date(timeIntervalSinceReferenceDate: seconds - Double(zone) + time.fraction)
    }

    private mutating func time() -> (seconds: Double, fraction: Double)? {
      guard let hour = number(digits: 2), hour < 24, skip(":"),
        let minute = number(digits: 2), minute < 60
      else { return nil }
      var second = 0
      var fraction = 0.0
      if skip(":") {
        guard let value = number(digits: 2), value < 60 else { return nil }
        second = value
        if skip(".") || skip(",") {
          let start = offset
          while offset < bytes.count, Byte.isDigit(bytes[offset]) { offset += 1 }
          let digits = String(decoding: bytes[start..<offset], as: UTF8.self)
          guard offset > start, let value = Double("0." + digits) else { return nil }
          fraction = value
        }
      }
      return (Double(hour * 3600 + minute * 60 + second), fraction)
    }

    /// The zone's distance from UTC, in seconds.
    private mutating func zone() -> Int? {
      if offset == bytes.count || skip("Z") || skip("z") { return 0 }
      let sign: Int
      if skip("+") {
        sign = 1
      } else if skip("-") {
        sign = -1
      } else {
        return nil
      }
      guard let hours = number(digits: 2), hours < 24 else { return nil }
      if offset == bytes.count { return sign * hours * 3600 }
      _ = skip(":")
      guard let minutes = number(digits: 2), minutes < 60 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func number(digits count: Int) -> Int? {
      guard offset + count <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[offset..<(offset + count)] {
        guard Byte.isDigit(byte) else { return nil }
        value = value * 10 + Int(byte - Byte.zero)
      }
      offset += count
      return value
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: scalar) else { return false }
      offset += 1
      return true
    }

    private static func days(in month: Int, of year: Int) -> Int {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Counting years from March puts the leap day last, so that months have fixed offsets.
    private static func daysSinceMarch0000(year: Int, month: Int, day: Int) -> Int {
      let marchYear = month > 2 ? year : year - 1
      let marchMonth = (month + 9) % 12
      let daysOfYears = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400
      return daysOfYears + (153 * marchMonth + 2) / 5 + day - 1
    }
  }
}

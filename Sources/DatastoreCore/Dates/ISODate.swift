/// Dates and times in ISO 8601, in conditions, files of rows and cells.
///
/// Reads `2024-01-31`, which is midnight, and a time after `T`, `t` or a space: `12:30`, `12:30:15`,
/// `12:30:15.25` (or with a comma), each with `Z`, `+02:00`, `+0200`, `+02` or nothing, which means UTC.
/// Years 0001 to 9999 of the Gregorian calendar, even before it was introduced. Refuses days that do not
/// exist, and the hour 24. Independent of locale and time zone.
package enum ISODate {
  /// The seconds from 1970-01-01 to 2001-01-01, Foundation's reference date.
  static let secondsFrom1970To2001: Int64 = 978_307_200

  /// Seconds since 2001-01-01 00:00 UTC, with all digits of the fraction; nil for other texts.
  package static func parse(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { parse($0) }
  }

  /// Parses text that is not a string yet.
  package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let (seconds, fraction) = scan(bytes) else { return nil }
    let whole = Double(seconds - secondsFrom1970To2001)
    guard !fraction.isEmpty else { return whole }
    return whole + (Double("0." + String(decoding: bytes[fraction], as: UTF8.self)) ?? 0)
  }

  /// A text that parses back as exactly the same number of seconds since 2001-01-01 00:00 UTC; nil when there
  /// is none.
  package static func format(_ seconds: Double) -> String? {
    // Negative zero has no text.
    guard seconds != 0 || seconds.sign == .plus else { return nil }
    return DateConvention.own.moment(of: .real(seconds))?.iso
  }

  /// Whether a text is a day without a time.
  package static func isDay(_ text: String) -> Bool {
    text.utf8.count == 10 && parse(text) != nil
  }

  /// The whole seconds since 1970-01-01 00:00 UTC, and the range of the fraction's digits.
  static func scan(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (seconds: Int64, fraction: Range<Int>)? {
    var scanner = ISODateScanner(bytes)
    return scanner.date()
  }
}

/// A reader of one date.
private struct ISODateScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  private var isAtEnd: Bool { offset == bytes.count }

  mutating func date() -> (seconds: Int64, fraction: Range<Int>)? {
    guard let year = number(digits: 4), year > 0, skip("-"),
      let month = number(digits: 2), (1...12).contains(month), skip("-"),
      let day = number(digits: 2),
      (1...GregorianCalendar.length(ofMonth: month, year)).contains(day)
    else { return nil }
    let midnight = Int64(GregorianCalendar.days(year, month, day)) * 86_400
    if isAtEnd { return (midnight, 0..<0) }
    guard skip("T") || skip("t") || skip(" "), let (second, fraction) = time(),
      let zone = zone(), isAtEnd
    else { return nil }
    return (midnight + Int64(second - zone), fraction)
  }

  /// The second of the day, and the range of its fraction's digits.
  private mutating func time() -> (second: Int, fraction: Range<Int>)? {
    guard let hour = number(digits: 2), hour < 24, skip(":"),
      let minute = number(digits: 2), minute < 60
    else { return nil }
    let start = hour * 3600 + minute * 60
    guard skip(":") else { return (start, 0..<0) }
    guard let second = number(digits: 2), second < 60 else { return nil }
    guard skip(".") || skip(",") else { return (start + second, 0..<0) }
    let fraction = offset
    while digit() != nil {}
    return offset > fraction ? (start + second, fraction..<offset) : nil
  }

  /// Seconds east of UTC.
  private mutating func zone() -> Int? {
    if isAtEnd || skip("Z") || skip("z") { return 0 }
    let sign: Int
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hours = number(digits: 2), hours < 24 else { return nil }
    if isAtEnd { return sign * hours * 3600 }
    _ = skip(":")
    guard let minutes = number(digits: 2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard !isAtEnd, bytes[offset] == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func digit() -> Int? {
    guard !isAtEnd, (0x30...0x39).contains(bytes[offset]) else { return nil }
    offset += 1
    return Int(bytes[offset - 1] - 0x30)
  }

  /// Reads a number of exactly `digits` digits.
  private mutating func number(digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }
}

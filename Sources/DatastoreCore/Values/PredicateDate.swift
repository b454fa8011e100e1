/// ISO 8601 dates in predicates: seconds since 2001-01-01 00:00 UTC.
///
/// Read are `2024-01-31`, and with a time behind `T` or a space: `12:30`, `12:30:15`,
/// `12:30:15.25`, each with `Z`, `+02:00`, `+0200` or nothing, which means UTC. Proleptic Gregorian
/// calendar, years 0001 to 9999, as in files of rows (`ISODate`).
package enum PredicateDate {
  static let daysFrom1970To2001 = 11_323

  package static func parse(_ text: String) -> Double? {
    guard let (seconds, fraction) = scan(text) else { return nil }
    return Double(seconds) + (fraction.isEmpty ? 0 : Double("0." + fraction) ?? 0)
  }

  /// Whole seconds since 2001-01-01 00:00 UTC, and the digits behind the point.
  static func scan(_ text: String) -> (seconds: Int, fraction: String)? {
    var scanner = Scanner(bytes: Array(text.utf8))
    guard let year = scanner.number(4), year > 0, scanner.consume("-"),
      let month = scanner.number(2),
      scanner.consume("-"), let day = scanner.number(2),
      (1...12).contains(month), (1...length(ofMonth: month, year)).contains(day)
    else { return nil }
    let days = self.days(year, month, day) - daysFrom1970To2001
    if scanner.isAtEnd { return (days * 86_400, "") }
    guard scanner.consume("T") || scanner.consume("t") || scanner.consume(" "),
      let hour = scanner.number(2), scanner.consume(":"), let minute = scanner.number(2),
      hour < 24, minute < 60
    else { return nil }
    var second = 0
    var fraction = ""
    if scanner.consume(":") {
      guard let value = scanner.number(2), value < 60 else { return nil }
      second = value
      if scanner.consume(".") || scanner.consume(",") {
        guard let digits = scanner.fraction() else { return nil }
        fraction = digits
      }
    }
    guard let zone = scanner.zone(), scanner.isAtEnd else { return nil }
    return (days * 86_400 + hour * 3600 + minute * 60 + second - zone, fraction)
  }

  /// The date as text that reads back as exactly the same number, or nil when there is none.
  package static func format(_ seconds: Double) -> String? {
    guard abs(seconds) < 1e12 else { return nil }
    let whole = seconds.rounded(.down)
    let total = Int(whole)
    let (days, rest) = floorDivide(total, 86_400)
    let (year, month, day) = date(days + daysFrom1970To2001)
    guard (0...9999).contains(year) else { return nil }
    let date = "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))"
    let time = "\(pad(rest / 3600, 2)):\(pad(rest / 60 % 60, 2)):\(pad(rest % 60, 2))"
    for digits in [0, 3, 6, 9] {
      let scale = [1, 1_000, 1_000_000, 1_000_000_000][digits / 3]
      let part = Int(((seconds - whole) * Double(scale)).rounded())
      guard part < scale else { continue }
      let text = "\(date)T\(time)\(digits == 0 ? "" : "." + pad(part, digits))Z"
      if parse(text)?.bitPattern == seconds.bitPattern { return text }
    }
    return nil
  }

  private static func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func floorDivide(_ a: Int, _ b: Int) -> (Int, Int) {
    let remainder = ((a % b) + b) % b
    return ((a - remainder) / b, remainder)
  }

  static func length(ofMonth month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01. The year starts in March, so that the leap day is its last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let (era, yearOfEra) = floorDivide(shifted, 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Year, month and day of a number of days since 1970-01-01.
  package static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, day) = floorDivide(days + 719_468, 146_097)
    let yearOfEra = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = (shifted + 2) % 12 + 1
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private struct Scanner {
    let bytes: [UInt8]
    var index = 0

    var isAtEnd: Bool { index == bytes.count }

    mutating func consume(_ character: Unicode.Scalar) -> Bool {
      guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
      index += 1
      return true
    }

    mutating func digit() -> Int? {
      guard index < bytes.count, (0x30...0x39).contains(bytes[index]) else { return nil }
      index += 1
      return Int(bytes[index - 1] - 0x30)
    }

    /// Exactly so many digits.
    mutating func number(_ digits: Int) -> Int? {
      var number = 0
      for _ in 0..<digits {
        guard let digit = digit() else { return nil }
        number = number * 10 + digit
      }
      return number
    }

    /// At least one digit.
    mutating func fraction() -> String? {
      let start = index
      while digit() != nil {}
      return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    /// Seconds east of UTC.
    mutating func zone() -> Int? {
      if isAtEnd || consume("Z") || consume("z") { return 0 }
      let sign: Int
      if consume("+") { sign = 1 } else if consume("-") { sign = -1 } else { return nil }
      guard let hours = number(2), hours < 24 else { return nil }
      if isAtEnd { return sign * hours * 3600 }
      _ = consume(":")
      guard let minutes = number(2), minutes < 60 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}

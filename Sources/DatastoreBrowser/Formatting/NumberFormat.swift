import Basics
import Foundation

/// The format of a column's numbers: a pattern as in spreadsheets, bytes, or a duration.
///
/// Patterns are a text, digits, and a text: `0` and `0.00` set the decimals, `#,##0` groups the digits in
/// threes, `0.00e0` sets an exponent, and `%` shows a part of a whole in percent. `,` alone groups the digits
/// and leaves the decimals. The format does not change values: sorting, editing, copying and exporting ignore
/// it.
struct NumberFormat: Hashable, Sendable {
  /// The pattern as the user typed it.
  let pattern: String
  private let kind: Kind
  /// The text before the digits, and after them.
  private var prefix = ""
  private var suffix = ""
  private var isGrouped = false
  /// The number of decimals; nil for as many as a number has.
  private var decimals: Int?

  private enum Kind: Hashable, Sendable { case plain, percent, exponent, bytes, duration }

  static let grouped = known(",")
  static let percent = known("0.0 %")

  private static func known(_ pattern: String) -> NumberFormat {
    guard let format = NumberFormat(pattern) else { trap("“\(pattern)” is a pattern") }
    return format
  }

  /// Parses a pattern; nil if it is not valid. O(length).
  init?(_ text: String) {
    let pattern = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    self.pattern = pattern
    switch pattern.lowercased() {
    case ",": (kind, isGrouped) = (.plain, true)
    case "bytes": kind = .bytes
    case "duration": kind = .duration
    default:
      guard let match = pattern.wholeMatch(of: Self.form), match.1.count <= 6, match.5.count <= 6
      else { return nil }
      (prefix, suffix) = (String(match.1), String(match.5))
      isGrouped = match.2.has(",")
      decimals = match.3?.count ?? 0
      kind = match.4 != nil ? .exponent : suffix.has("%") || prefix.has("%") ? .percent : .plain
    }
  }

  /// Text, whole digits, decimals, exponent, text.
  private static var form:
    Regex<(Substring, Substring, Substring, Substring?, Substring?, Substring)>
  {
    /([^0-9#.,]*)(#,##0|#,###|#|0)(?:\.(0{1,15}))?(e0)?([^0-9#.,]*)/
  }

  /// Formats a number as Swift or the store writes it; other texts are unchanged. O(length).
  func text(of number: String) -> String {
    guard let value = Double(number), value.isFinite else { return number }
    switch kind {
    case .plain, .percent:
      // Nobody reads 30 digits, and a `Double` has only half as many.
      guard let decimal = Decimal(string: number), decimal.magnitude < 1e30 else { return number }
      return framed(digits(of: kind == .percent ? decimal * 100 : decimal))
    case .exponent: return framed(String(format: "%.\(decimals ?? 0)e", value))
    case .bytes: return Self.bytes(value)
    case .duration: return Self.duration(value)
    }
  }

  /// Puts the sign before the prefix.
  private func framed(_ digits: String) -> String {
    let isNegative = digits.hasPrefix("-")
    let rest = isNegative ? String(digits.dropFirst()) : digits
    return (isNegative ? "-" : "") + prefix + (isGrouped ? NumberText.grouped(rest) : rest) + suffix
  }

  /// Rounds the decimal digits as they are written: 0.125 to 0.13, though the nearest `Double` is less.
  private func digits(of decimal: Decimal) -> String {
    guard let decimals else { return "\(decimal)" }
    var (rounded, exact) = (Decimal(), decimal)
    NSDecimalRound(&rounded, &exact, decimals, .plain)
    let text = "\(rounded)"
    let there = max(0, NumberText.fraction(text) - 1)
    let point = there == 0 && decimals > 0 ? "." : ""
    return text + point + String(repeating: "0", count: decimals - there)
  }

  /// Formats bytes in powers of 1,000, as the SI does: `1.5 MB`.
  private static func bytes(_ count: Double) -> String {
    var (count, unit) = (count, 0)
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    // A number that would be rounded to 1000 goes to the next unit.
    while count.magnitude >= 999.95, unit < units.count - 1 {
      (count, unit) = (count / 1000, unit + 1)
    }
    return
      "\(unit == 0 ? String(format: "%.0f", count) : String(format: "%.1f", count)) \(units[unit])"
  }

  /// Formats seconds as hours, minutes and seconds, with days before them: `2 d 3:04:05`.
  private static func duration(_ seconds: Double) -> String {
    guard seconds.magnitude < 1e15 else { return String(seconds) }
    let milliseconds = Int((seconds.magnitude * 1000).rounded())
    let whole = milliseconds / 1000
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let days = whole / 86_400
    let part =
      milliseconds % 1000 == 0 ? "" : "." + String(String(milliseconds % 1000 + 1000).dropFirst())
    return (seconds < 0 ? "-" : "") + (days > 0 ? "\(CountText.grouped(days)) d " : "")
      + "\(whole / 3600 % 24):\(two(whole / 60 % 60)):\(two(whole % 60))\(part)"
  }
}

extension NumberFormat: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let format = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "This is not a format of numbers.")
    }
    self = format
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(pattern)
  }
}

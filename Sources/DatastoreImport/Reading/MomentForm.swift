import DatastoreCore

/// The form of a moment in a text: the separator between day and time, the number of digits of the time, and
/// the zone.
struct MomentForm {
  let day: Substring
  private let separator: Character?
  private let hasSeconds: Bool
  private let fraction: Substring
  private let zone: Substring
  /// Seconds east of UTC.
  let offset: Double

  /// - Returns: nil if the text has no known zone.
  init?(_ text: String) {
    day = text.prefix { !" Tt".contains($0) }
    var rest = text[day.endIndex...]
    separator = rest.popFirst()
    let whole = rest.prefix { $0.isASCIIDigit || $0 == ":" }
    hasSeconds = whole.utf8.count > 5
    rest = rest[whole.endIndex...]
    fraction =
      rest.first.map { ".,".contains($0) } ?? false
      ? rest.prefix(1) + rest.dropFirst().prefix(while: \.isASCIIDigit) : ""
    zone = rest.dropFirst(fraction.count)
    guard let west = ISODate.parse("2001-01-01T00:00\(zone)") else { return nil }
    offset = -west
  }

  /// The same form with another day and time.
  ///
  /// - Parameters:
  ///   - day: the day in the form of this one's.
  ///   - time: hours, minutes, seconds and perhaps a fraction in ISO 8601, in this zone.
  /// - Returns: nil if the form has no place for a time, and there is one.
  func text(_ day: String, _ time: Substring) -> String? {
    guard let separator else { return time == "00:00:00" ? day : nil }
    let digits = time.dropFirst(9)
    let whole = hasSeconds || time.dropFirst(6) != "00" ? time.prefix(8) : time.prefix(5)
    var text = "\(day)\(separator)\(whole)"
    if !digits.isEmpty || !fraction.isEmpty {
      let missing = fraction.count - 1 - digits.count
      text += "\(fraction.first ?? ".")\(digits)\(String(repeating: "0", count: max(0, missing)))"
    }
    return text + zone
  }
}

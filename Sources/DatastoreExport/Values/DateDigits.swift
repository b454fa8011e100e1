import DatastoreCore

/// A moment in the digits of ISO 8601, in UTC.
struct DateDigits {
  /// What follows the seconds.
  enum Fraction {
    case none
    case digits(Int, count: Int)
    case text(String)
  }

  let year: Int
  let month: Int
  let day: Int
  /// Of the day.
  let second: Int
  let fraction: Fraction

  private static let daysFrom1970To2001 = 11_323

  /// nil for moments outside of the years 1 to 9999.
  init?(secondsSince2001 seconds: Double) {
    guard abs(seconds) < 1e12 else { return nil }
    var whole = seconds.rounded(.down)
    var fraction = Self.fraction(of: seconds, behind: whole)
    // So close before a whole second that no digits distinguish them.
    if case .digits(let number, 0) = fraction, number == 1 {
      whole += 1
      fraction = .none
    }
    let total = Int(whole)
    let second = ((total % 86_400) + 86_400) % 86_400
    let date = PredicateDate.date((total - second) / 86_400 + Self.daysFrom1970To2001)
    guard (1...9999).contains(date.year) else { return nil }
    (year, month, day) = date
    self.second = second
    self.fraction = fraction
  }

  /// The fewest digits, in groups of three, that give the same number again.
  private static func fraction(of seconds: Double, behind whole: Double) -> Fraction {
    let rest = seconds - whole
    if rest == 0 { return .none }
    if rest >= 1 { return .digits(1, count: 0) }
    for (count, scale) in [(3, 1e3), (6, 1e6), (9, 1e9)] {
      let part = (rest * scale).rounded()
      if part < scale, whole + part / scale == seconds { return .digits(Int(part), count: count) }
    }
    guard let digits = DecimalText(rest), digits.description.hasPrefix("0.") else {
      return .none
    }
    return .text(String(digits.description.dropFirst(2)))
  }
}

/// Numbers of things, as sentences need them.
enum CountText {
  /// The number with thin groups of three: `1 234 567`.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0, digits.count > 4 { text += " " }
      text.append(digit)
    }
    return text
  }

  /// `1 row`, `2 rows`.
  static func counted(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}

/// Numbers and nouns in sentences.
package enum CountText {
  /// The number in groups of three digits: `1,234,567`.
  package static func grouped(_ number: Int) -> String {
    (number < 0 ? "-" : "") + grouped(digits: String(number.magnitude))
  }

  /// The digits of a whole number in groups of three.
  package static func grouped(digits: some StringProtocol) -> String {
    let count = digits.count
    var text = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (count - place).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// `1 row`, `2,000 rows`, `2 entities`.
  package static func counted(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural(noun))"
  }

  /// The plural of a noun.
  package static func plural(_ noun: String) -> String {
    let lower = noun.lowercased()
    if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
      return noun.dropLast() + "ies"
    }
    let hisses = ["s", "x", "z", "ch", "sh"].contains { lower.hasSuffix($0) }
    return noun + (hisses ? "es" : "s")
  }
}

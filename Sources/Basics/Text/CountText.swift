/// Numbers of things, as sentences need them.
package enum CountText {
  /// The number in groups of three digits: `1,234,567`.
  package static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// `1 row`, `2,000 rows`, `2 entities`.
  package static func counted(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural(noun))"
  }

  /// What several are called.
  package static func plural(_ noun: String) -> String {
    let lower = noun.lowercased()
    if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
      return noun.dropLast() + "ies"
    }
    let hisses = ["s", "x", "z", "ch", "sh"].contains { lower.hasSuffix($0) }
    return noun + (hisses ? "es" : "s")
  }
}

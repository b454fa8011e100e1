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

  /// `512 bytes`, `1.5 MB`: at most one decimal, rounded down, in powers of 1,000, as disks are sold.
  package static func bytes(_ count: Int) -> String {
    if count < 1000 { return counted(count, "byte") }
    var tenths = count / 100
    var unit = 0
    let units = ["kB", "MB", "GB", "TB"]
    while tenths >= 10_000, unit < units.count - 1 {
      tenths /= 1000
      unit += 1
    }
    let fraction = tenths % 10
    let whole = grouped(tenths / 10)
    return "\(whole)\(fraction == 0 || tenths >= 1000 ? "" : ".\(fraction)") \(units[unit])"
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

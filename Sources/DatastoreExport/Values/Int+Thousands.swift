extension Int {
  /// The number with its thousands apart: 12,345.
  package var withThousands: String {
    var digits = String(self)
    var end = digits.count - 3
    while end > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
      end -= 3
    }
    return digits
  }
}

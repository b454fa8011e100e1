/// Checks whether SQLite reads the same number from some digits as Swift.
///
/// SQLite takes the digits as a whole number and divides by a power of ten. Versions before 3.42 do this with
/// 64 bits of precision if the machine has them, and round the result to a double. If those 64 bits end
/// exactly in the middle between two doubles, and the division has cut something off, the second rounding may
/// go the wrong way (`sqlite3AtoF` in util.c). Other versions divide doubles, which is exact if both numbers
/// are exact. Digits count as exact here if all versions read the same number.
enum SQLiteDigits {
  /// - Parameter text: the shortest digits of a finite double, as Swift prints them.
  static func areExact(_ text: String) -> Bool {
    var whole: UInt64 = 0
    var exponent = 0
    var isBehindPoint = false
    let mark = text.utf8.firstIndex(of: UInt8(ascii: "e")) ?? text.endIndex
    if mark < text.endIndex { exponent = Int(text[mark...].dropFirst()) ?? 1_000 }
    for byte in text[..<mark].utf8 {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
        if byte == UInt8(ascii: ".") { isBehindPoint = true }
        continue
      }
      if isBehindPoint { exponent -= 1 }
      whole = whole * 10 + UInt64(byte - UInt8(ascii: "0"))
      // Both operands of the division must be exact as doubles.
      if whole >= 1 << 53 { return false }
    }
    while whole > 0, exponent < 0, whole.isMultiple(of: 10) {
      whole /= 10
      exponent += 1
    }
    guard (-18...22).contains(exponent) else { return false }
    if exponent >= 0 { return isWhole(whole, exponent) }
    return isRoundedOnce(
      whole, dividedBy: (0..<(-exponent)).reduce(1 as UInt64) { power, _ in power * 10 })
  }

  /// Whether a whole number has at most 62 bits, which are rounded once, or is a double times a power of two.
  private static func isWhole(_ whole: UInt64, _ exponent: Int) -> Bool {
    var (digits, fives) = (whole, whole)
    var isSmall = true
    for _ in 0..<exponent {
      fives = min(fives, 1 << 60) * 5
      if isSmall { digits *= 10 }
      isSmall = isSmall && digits < 1 << 59
    }
    return isSmall || fives < 1 << 53
  }

  /// Whether rounding a quotient to 64 bits and then to the 53 of a double equals rounding it at once.
  private static func isRoundedOnce(_ dividend: UInt64, dividedBy divisor: UInt64) -> Bool {
    func bits(_ number: UInt64) -> Int { 64 - number.leadingZeroBitCount }
    // The quotient has 65 or 66 bits. 10¹⁸ has 60 bits, so nothing overflows.
    let shifted = UInt128(dividend) << UInt128(65 + bits(divisor) - bits(dividend))
    let (quotient, remainder) = shifted.quotientAndRemainder(dividingBy: UInt128(divisor))
    let surplus = UInt128(128 - quotient.leadingZeroBitCount - 64)
    let rest = quotient & (1 << surplus - 1)
    let half = 1 << (surplus - 1) as UInt128
    var rounded = quotient >> surplus
    if rest > half || rest == half && (remainder > 0 || rounded & 1 == 1) { rounded += 1 }
    let isExact = rest == 0 && remainder == 0
    return isExact || rounded & 0x7FF != 0x400
  }
}

extension SQLiteDigits {
  /// A finite number other than 0 as a whole number times or divided by powers of two, which is exact.
  static func product(_ real: Double) -> String {
    var exponent = Int(real.exponent) - Double.significandBitCount
    var whole = Int64(real.significand.magnitude * 0x1p52)
    if real.isSubnormal {
      exponent = -1074
      whole = Int64(real.magnitude.bitPattern)
    }
    let zeros = whole.trailingZeroBitCount
    whole >>= Int64(zeros)
    exponent += zeros
    var text = "\(real < 0 ? "-" : "")\(whole)*1.0"
    while exponent != 0 {
      let step = min(abs(exponent), 62)
      text += "\(exponent < 0 ? "/" : "*")\(Int64(1) << Int64(step))"
      exponent += exponent < 0 ? step : -step
    }
    return text
  }
}

extension JSONValueDecoder {
  /// The most significant decimal digits that identify each `Double`.
  private static let doubleDigits = 17

  /// Decodes the number that begins at the current offset (RFC 8259, section 6).
  ///
  /// A number that neither `Int64` nor `Double` keeps with all its digits becomes its own text.
  mutating func number() throws(JSONFault) -> ImportValue {
    let start = offset
    let isNegative = bytes[offset] == Byte.minus
    if isNegative { offset += 1 }
    let integerStart = offset
    try digits()
    if bytes[integerStart] == Byte.zero, offset > integerStart + 1 {
      throw JSONFault(offset: integerStart, reason: "a number must not begin with a zero")
    }
    var isInteger = true
    if offset < bytes.count, bytes[offset] == Byte.point {
      isInteger = false
      offset += 1
      try digits()
    }
    let mantissaEnd = offset
    if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      offset += 1
      if offset < bytes.count, bytes[offset] == Byte.plus || bytes[offset] == Byte.minus {
        offset += 1
      }
      try digits()
    }
    let literal = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isInteger {
      guard let integer = Int64(literal) else { return .text(literal) }
      // Only a Double has a negative zero.
      return integer == 0 && isNegative ? .real(-0.0) : .integer(integer)
    }
    let significant = bytes[integerStart..<mantissaEnd].drop { $0 == Byte.zero || $0 == Byte.point }
    let digitCount = significant.count { $0 != Byte.point }
    guard digitCount <= Self.doubleDigits, let real = Double(literal), real.isFinite else {
      return .text(literal)
    }
    return .real(real)
  }

  private mutating func digits() throws(JSONFault) {
    guard offset < bytes.count, Byte.isDigit(bytes[offset]) else { throw expected("a digit") }
    while offset < bytes.count, Byte.isDigit(bytes[offset]) { offset += 1 }
  }
}

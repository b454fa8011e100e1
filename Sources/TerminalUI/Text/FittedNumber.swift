/// A decimal number and its shorter forms. Cut like a text it would be another number: `46800…` for 46800000.
struct FittedNumber {
  /// Whether the number is rounded; a `~` before it says so.
  private var isNear = false
  private var isNegative = false
  /// The significant digits, from the first to the last that is not zero; none for zero.
  private var digits: [UInt8] = []
  /// The number of digits before the decimal point: more than there are if zeros follow, negative if zeros
  /// precede.
  private var point = 0

  /// Reads `-1 234.50`, `6.02e+23` or `~1200`; nil for a text that is not such a number.
  init?(_ text: some StringProtocol) {
    var rest = Array(text.utf8)[...]
    func take(_ characters: String) -> Bool {
      guard let first = rest.first, characters.utf8.contains(first) else { return false }
      rest.removeFirst()
      return true
    }
    isNear = take("~")
    isNegative = take("-")
    var written: [UInt8] = []
    var fraction: Int?
    while let byte = rest.first {
      if (0x30...0x39).contains(byte) {
        written.append(byte - 0x30)
      } else if byte == 0x2E, fraction == nil {
        fraction = written.count
      } else if byte != 0x20 || fraction != nil || written.isEmpty {
        break
      }
      rest.removeFirst()
    }
    guard !written.isEmpty else { return nil }
    var exponent = 0
    if take("eE") {
      let text = String(decoding: rest, as: UTF8.self)
      guard let number = Int(text), abs(number) < 100_000 else { return nil }
      exponent = number
      rest = []
    }
    guard rest.isEmpty else { return nil }
    let zeros = written.prefix { $0 == 0 }.count
    point = (fraction ?? written.count) - zeros + exponent
    digits = Self.trimmed(written.dropFirst(zeros))
  }

  /// The most exact form of at most this many cells: all digits without blanks between them, an exponent,
  /// fewer digits with a `~`, or, if none of them fits, a row of `#`.
  func text(width: Int) -> String {
    let forms =
      [plain, exponential].lazy + [nearPlain(width: width), nearExponential(width: width)]
    return forms.compactMap { $0 }.first { $0.utf8.count <= width }
      ?? String(repeating: "#", count: max(0, width))
  }

  private var sign: String { (isNear ? "~" : "") + (isNegative ? "-" : "") }

  private static func trimmed(_ digits: some BidirectionalCollection<UInt8>) -> [UInt8] {
    Array(digits.reversed().drop { $0 == 0 }.reversed())
  }

  private static func text(_ digits: some Sequence<UInt8>) -> String {
    String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
  }

  /// All digits without an exponent; nil if that would be mostly zeros.
  private var plain: String? {
    guard (-20...40).contains(point) else { return nil }
    let zeros = repeatElement(0 as UInt8, count: max(0, point - digits.count))
    let whole = point > 0 ? Self.text(digits.prefix(point) + Array(zeros)) : "0"
    let fraction =
      point > 0
      ? Self.text(digits.dropFirst(point))
      : Self.text(repeatElement(0, count: digits.isEmpty ? 0 : -point)) + Self.text(digits)
    return sign + whole + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// All digits with an exponent.
  private var exponential: String? {
    guard let first = digits.first else { return nil }
    let rest = Self.text(digits.dropFirst())
    return "\(sign)\(first)\(rest.isEmpty ? "" : "." + rest)e\(point - 1)"
  }

  /// As many decimal places as fit.
  private func nearPlain(width: Int) -> String? {
    guard point > -20, digits.count > point else { return nil }
    var near = self
    near.isNear = true
    for fraction in stride(from: width, through: 0, by: -1) {
      let rounded = near.rounded(to: point + fraction)
      // One digit far behind the point is less exact than an exponent.
      guard rounded.digits.count > 1 || rounded.point > 0 else { return nil }
      if let text = rounded.plain, text.utf8.count <= width { return text }
    }
    return nil
  }

  /// As many digits as fit before an exponent.
  private func nearExponential(width: Int) -> String? {
    var near = self
    near.isNear = true
    return stride(from: min(width, digits.count), to: 0, by: -1).lazy
      .compactMap { near.rounded(to: $0).exponential }.first { $0.utf8.count <= width }
  }

  /// The number rounded to this many digits.
  private func rounded(to count: Int) -> FittedNumber {
    guard count < digits.count else { return self }
    var number = self
    var kept = Array(digits.prefix(max(0, count)))
    if count >= 0, digits[count] >= 5 {
      while kept.last == 9 { kept.removeLast() }
      if let last = kept.popLast() {
        kept.append(last + 1)
      } else {
        kept = [1]
        number.point += 1
      }
    }
    number.digits = Self.trimmed(kept)
    return number
  }
}

import Basics

/// Numbers as people read them.
enum NumberText {
  /// The characters of a plain decimal number from its point on; 0 for others.
  static func fraction(_ text: String) -> Int {
    guard let point = text.utf8.lastIndex(of: UInt8(ascii: ".")) else { return 0 }
    let digits = text.utf8[point...].dropFirst()
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
    return digits.count + 1
  }

  /// A number with the digits of its whole part in groups of three: `-1,234,567.891`. What is not a plain
  /// decimal number stays as it is.
  static func grouped(_ text: String) -> String {
    var digits = Substring(text)
    let sign = digits.first == "-" ? "-" : ""
    digits = digits.dropFirst(sign.count)
    let whole = digits.prefix { $0.isASCII && $0.isNumber }
    let rest = digits[whole.endIndex...]
    guard whole.count > 3, rest.isEmpty || rest.first == ".", !rest.has("e") else {
      return text
    }
    return sign + CountText.grouped(digits: whole) + rest
  }
}

import Basics

/// Numbers as text for people.
enum NumberText {
  /// The length of a plain decimal number from its decimal point on; 0 for other texts.
  static func fraction(_ text: String) -> Int {
    guard let point = text.utf8.lastIndex(of: UInt8(ascii: ".")) else { return 0 }
    let digits = text.utf8[point...].dropFirst()
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
    return digits.count + 1
  }

  /// A number with its whole digits in groups of three: `-1,234,567.891`. Texts other than plain decimal
  /// numbers are unchanged.
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

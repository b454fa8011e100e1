/// Converts bytes to hexadecimal digits, two for each, and back. Used for all text of bytes that is written
/// or read.
package enum Hexadecimal {
  /// The digits, by their value.
  package static let uppercase = Array("0123456789ABCDEF".utf8)
  package static let lowercase = Array("0123456789abcdef".utf8)

  /// O(bytes).
  package static func text(
    _ bytes: some Collection<UInt8>, _ digits: [UInt8] = uppercase
  ) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes digits of either case; nil for an odd number of them, and for any other character. O(digits).
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 2)
    var high: UInt8?
    for character in text.utf8 {
      guard let digit = digit(character) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? bytes : nil
  }

  /// The value of a digit in ASCII; nil for any other byte.
  package static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

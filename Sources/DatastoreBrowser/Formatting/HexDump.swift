import DatastoreCore
import Foundation

/// A hex dump of bytes: sixteen a line, with their offset and their ASCII characters.
enum HexDump {
  static let bytesPerLine = 16

  /// The number of lines for this many bytes.
  static func lineCount(_ bytes: Int) -> Int { (bytes + bytesPerLine - 1) / bytesPerLine }

  /// One line: `00000010  89 50 4e 47 0d 0a 1a 0a  00 00 00 0d 49 48 44 52  .PNG........IHDR`.
  static func line(_ number: Int, of data: Data) -> String {
    let start = data.startIndex + number * bytesPerLine
    guard start < data.endIndex else { return "" }
    let bytes = data[start..<min(data.endIndex, start + bytesPerLine)]
    var text = padded(String(number * bytesPerLine, radix: 16), 8) + " "
    for place in 0..<bytesPerLine {
      if place % 8 == 0 { text += " " }
      let index = start + place
      text +=
        index < bytes.endIndex
        ? Hexadecimal.text(CollectionOfOne(data[index]), Hexadecimal.lowercase) + " " : "   "
    }
    text += " "
    for byte in bytes {
      text.unicodeScalars.append((0x20...0x7E).contains(byte) ? Unicode.Scalar(byte) : ".")
    }
    return text
  }

  private static func padded(_ digits: String, _ count: Int) -> String {
    String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}

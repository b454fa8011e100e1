import DatastoreCore

/// How the text of a file is written as bytes.
package enum TextEncoding: String, CaseIterable, Sendable {
  case utf8 = "utf-8"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  /// Windows-1252, of which the printable characters of ISO 8859-1 are a part.
  case latin1

  /// What a person calls it.
  package var title: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16LittleEndian, .utf16BigEndian: "UTF-16"
    case .latin1: "Latin-1 (Windows-1252)"
    }
  }

  /// Tells the encoding from the first bytes of a file.
  ///
  /// A byte order mark decides, or the zeros that UTF-16 has beside ASCII letters. Text that is not
  /// UTF-8 is Latin-1 if none of its bytes beyond ASCII make sense as UTF-8; where some do, it is
  /// damaged UTF-8, and its readers tell the place.
  static func detect(_ head: UnsafeBufferPointer<UInt8>, isWhole: Bool) -> TextEncoding {
    if head.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian }
    if head.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
    if let encoding = utf16(head) { return encoding }
    // The last character of a part of the file may be cut.
    let end = isWhole ? head.count : max(0, head.count - 3)
    var start = 0
    var isFaulty = false
    while let fault = UTF8Sequences.firstFault(in: head, from: start), fault < end {
      if head[start..<fault].contains(where: { $0 >= 0x80 }) { return .utf8 }
      isFaulty = true
      start = fault + 1
    }
    let hasCharacters = start < end && head[start..<end].contains { $0 >= 0x80 }
    return isFaulty && !hasCharacters ? .latin1 : .utf8
  }

  /// UTF-16 without a mark: a good part of the units, all of one byte's zeros on the same side, stand for
  /// ASCII. Text in other encodings has no zeros.
  private static func utf16(_ head: UnsafeBufferPointer<UInt8>) -> TextEncoding? {
    let pairs = min(head.count, sampledBytes) / 2
    guard pairs > 1 else { return nil }
    var (first, second) = (0, 0)
    for pair in 0..<pairs {
      if head[pair * 2] == 0 { first += 1 }
      if head[pair * 2 + 1] == 0 { second += 1 }
    }
    if first == 0, second * 4 >= pairs { return .utf16LittleEndian }
    if second == 0, first * 4 >= pairs { return .utf16BigEndian }
    return nil
  }

  private static let sampledBytes = 1024
}

/// Turns the bytes of another encoding into UTF-8, piece by piece.
struct Transcoder {
  private let encoding: TextEncoding
  /// A byte, or the first of two units, whose other half has not come yet.
  private var pendingByte: UInt8?
  private var pendingUnit: UInt16?

  init(_ encoding: TextEncoding) {
    self.encoding = encoding
  }

  /// The next bytes of the file as UTF-8. What is no character becomes a byte that is none either, so
  /// that readers tell its place.
  mutating func utf8(of bytes: UnsafeBufferPointer<UInt8>, isAtEnd: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    switch encoding {
    case .utf8: result.append(contentsOf: bytes)
    case .latin1:
      for byte in bytes { Self.append(Self.scalar(ofWindows: byte), to: &result) }
    case .utf16LittleEndian, .utf16BigEndian:
      for byte in bytes {
        guard let first = pendingByte else {
          pendingByte = byte
          continue
        }
        pendingByte = nil
        let (low, high) = encoding == .utf16LittleEndian ? (first, byte) : (byte, first)
        take(UInt16(high) << 8 | UInt16(low), &result)
      }
      if isAtEnd, pendingByte != nil || pendingUnit != nil {
        (pendingByte, pendingUnit) = (nil, nil)
        result.append(Self.noCharacter)
      }
    }
    return result
  }

  private mutating func take(_ unit: UInt16, _ result: inout [UInt8]) {
    if let lead = pendingUnit {
      pendingUnit = nil
      if (0xDC00...0xDFFF).contains(unit) {
        let value = 0x10000 + (UInt32(lead) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
        Self.append(Unicode.Scalar(value) ?? "\u{FFFD}", to: &result)
        return
      }
      result.append(Self.noCharacter)
    }
    if (0xD800...0xDBFF).contains(unit) {
      pendingUnit = unit
    } else if let scalar = Unicode.Scalar(unit) {
      Self.append(scalar, to: &result)
    } else {
      result.append(Self.noCharacter)
    }
  }

  private static func append(_ scalar: Unicode.Scalar, to result: inout [UInt8]) {
    if scalar.value < 0x80 {
      result.append(UInt8(scalar.value))
    } else {
      result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  /// In no UTF-8.
  private static let noCharacter: UInt8 = 0xFF

  private static func scalar(ofWindows byte: UInt8) -> Unicode.Scalar {
    (0x80...0x9F).contains(byte) ? upperControls[Int(byte) - 0x80] : Unicode.Scalar(byte)
  }

  /// What Windows-1252 has in place of the controls 0x80 to 0x9F:
  /// <https://encoding.spec.whatwg.org/index-windows-1252.txt>.
  private static let upperControls = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}

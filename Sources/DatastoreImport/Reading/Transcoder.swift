/// Turns the bytes of another encoding into UTF-8, piece by piece.
struct Transcoder {
  private let encoding: TextEncoding
  /// The characters of the bytes from 0x80 on, where each byte is one.
  private let upperHalf: [Unicode.Scalar]
  /// A byte, or the first of two units, whose other half has not come yet.
  private var pendingByte: UInt8?
  private var pendingUnit: UInt16?

  init(_ encoding: TextEncoding) {
    self.encoding = encoding
    upperHalf = encoding.upperHalf ?? []
  }

  /// The next bytes of the file as UTF-8. What is not a character becomes a byte that is none either, so
  /// that readers report its place.
  mutating func utf8(of bytes: UnsafeBufferPointer<UInt8>, isAtEnd: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    switch encoding {
    case .utf8: result.append(contentsOf: bytes)
    case .windows1252, .macRoman:
      for byte in bytes {
        if byte < 0x80 {
          result.append(byte)
        } else {
          Self.append(upperHalf[Int(byte) - 0x80], to: &result)
        }
      }
    case .utf16LittleEndian, .utf16BigEndian:
      for byte in bytes {
        guard let first = pendingByte else {
          pendingByte = byte
          continue
        }
        pendingByte = nil
        let (low, high) = encoding == .utf16LittleEndian ? (first, byte) : (byte, first)
        decode(UInt16(high) << 8 | UInt16(low), &result)
      }
      if isAtEnd, pendingByte != nil || pendingUnit != nil {
        (pendingByte, pendingUnit) = (nil, nil)
        result.append(Self.noCharacter)
      }
    }
    return result
  }

  private mutating func decode(_ unit: UInt16, _ result: inout [UInt8]) {
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
}

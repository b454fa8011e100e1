/// Well-formed UTF-8, byte by byte.
package enum UTF8Sequences {
  /// The offset of the first byte that does not begin a well-formed sequence; nil if all are well formed.
  ///
  /// The table of well-formed sequences is that of RFC 3629, section 4. Linear.
  package static func firstFault(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0
  ) -> Int? {
    var offset = start
    while offset < bytes.count {
      let lead = bytes[offset]
      if lead < 0x80 {
        offset += 1
        continue
      }
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch lead {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      case 0xF1...0xF3: length = 4
      default: return offset
      }
      guard offset + length <= bytes.count, second.contains(bytes[offset + 1]) else {
        return offset
      }
      for index in (offset + 2)..<max(offset + 2, offset + length)
      where bytes[index] & 0xC0 != 0x80 {
        return offset
      }
      offset += length
    }
    return nil
  }
}

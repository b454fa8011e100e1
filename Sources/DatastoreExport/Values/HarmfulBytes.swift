/// What must be escaped in text that could be shown on a terminal: controls and what turns the
/// direction of text.
enum HarmfulBytes {
  /// The character at an offset of well-formed UTF-8, if it is harmful: its scalar and its length in
  /// bytes. Newlines and tabs count too.
  @inline(__always)
  static func character(
    at offset: Int, of bytes: UnsafeBufferPointer<UInt8>
  ) -> (scalar: UInt32, length: Int)? {
    let byte = bytes[offset]
    if byte < 0x80 { return byte < 0x20 || byte == 0x7F ? (UInt32(byte), 1) : nil }
    switch byte {
    case 0xC2 where bytes[offset + 1] < 0xA0: return (UInt32(bytes[offset + 1]), 2)
    case 0xD8 where bytes[offset + 1] == 0x9C: return (0x61C, 2)
    case 0xE2: return general(bytes[offset + 1], bytes[offset + 2])
    default: return nil
    }
  }

  /// Marks, line separators and overrides of the block General Punctuation.
  private static func general(_ second: UInt8, _ third: UInt8) -> (scalar: UInt32, length: Int)? {
    let scalar = 0x2000 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F)
    switch scalar {
    case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: return (scalar, 3)
    default: return nil
    }
  }
}

import Gates

/// Finds the characters that JSON and SQL escape in a text: controls and characters that turn its direction.
enum HarmfulBytes {
  /// The character at an offset of well-formed UTF-8, if it is harmful: its scalar and its length in
  /// bytes. Newlines and tabs count too.
  @inline(__always)
  static func character(
    at offset: Int, of bytes: UnsafeBufferPointer<UInt8>
  ) -> (scalar: UInt32, length: Int)? {
    let byte = bytes[offset]
    if byte < 0x80 { return byte < 0x20 || byte == 0x7F ? (UInt32(byte), 1) : nil }
    // No other byte begins a harmful character; a test checks this.
    switch byte {
    case 0xC2, 0xD8: return listed(UInt32(byte & 0x1F) << 6 | UInt32(bytes[offset + 1] & 0x3F), 2)
    case 0xE2:
      return listed(
        0x2000 | UInt32(bytes[offset + 1] & 0x3F) << 6 | UInt32(bytes[offset + 2] & 0x3F), 3)
    default: return nil
    }
  }

  private static func listed(_ value: UInt32, _ length: Int) -> (scalar: UInt32, length: Int)? {
    guard let scalar = Unicode.Scalar(value) else { return nil }
    switch HarmfulCharacter(scalar) {
    case .control, .direction: return (value, length)
    case .invisible, .unassigned, nil: return nil
    }
  }
}

import DatastoreCore

/// How far bytes are well-formed UTF-8.
struct UTF8Evidence {
  /// Characters beyond ASCII.
  private(set) var valid = 0
  /// Bytes that belong to no character.
  private(set) var invalid = 0

  /// The evidence for UTF-8: the rest of a sentence that begins with “it”.
  var sentence: String {
    switch valid {
    case 0: "has only ASCII as far as it was read"
    case 1: "has a character beyond ASCII that is well-formed UTF-8"
    default: "has \(valid) characters beyond ASCII that are well-formed UTF-8"
    }
  }

  /// Linear. Unless `isWhole`, a character that is cut at the end does not count.
  init(_ bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool) {
    var start = 0
    while start < bytes.count {
      let fault = UTF8Sequences.firstFault(in: bytes, from: start)
      // Each character has exactly one byte that is not a continuation byte (10xxxxxx).
      valid += bytes[start..<(fault ?? bytes.count)].count { $0 >= 0xC0 }
      guard let fault else { return }
      if !isWhole, Self.isCut(bytes[fault...]) { return }
      invalid += 1
      start = fault + 1
    }
  }

  /// Whether these are the first bytes of a character, and nothing else.
  private static func isCut(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let lead = rest.first, rest.count < 4 else { return false }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0
    return rest.count < length && rest.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
  }
}

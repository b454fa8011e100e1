/// A fault of a JSON text, with the offset of its byte.
struct JSONFault: Error {
  let offset: Int
  let reason: String
}

/// The limits and words that the two passes over a JSON text have in common.
enum JSONSyntax {
  /// How many arrays and objects may be open at once (RFC 8259, section 9, permits a limit).
  static let maximumDepth = 128
  static let repeatedName = "a name that occurs twice"

  static func beginsValue(_ byte: UInt8) -> Bool {
    Byte.isDigit(byte) || "{[\"-tfn".utf8.contains(byte)
  }

  /// "expected X, but found Y".
  static func expected(_ expectation: String, found byte: UInt8?) -> String {
    let found = byte.map(Byte.description) ?? "the end of the text"
    return "expected \(expectation), but found \(found)"
  }
}

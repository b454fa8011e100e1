/// How the text of a file is written as bytes.
package enum TextEncoding: String, CaseIterable, Sendable {
  case utf8 = "utf-8"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  /// Of which the printable characters of ISO 8859-1 (Latin-1) are a part.
  case windows1252 = "windows-1252"
  /// What Macs wrote before they wrote UTF-8.
  case macRoman = "mac-roman"

  /// What a person calls it.
  package var title: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16LittleEndian, .utf16BigEndian: "UTF-16"
    case .windows1252: "Windows-1252 (Latin-1)"
    case .macRoman: "Mac Roman"
    }
  }

  /// The encoding that a person calls by this name, whose usual spellings are known.
  package init?(name: String) {
    switch name.lowercased() {
    case "utf8": self = .utf8
    case "utf-16", "utf16": self = .utf16LittleEndian
    case "latin1", "latin-1", "iso-8859-1", "windows1252", "cp1252": self = .windows1252
    case "macroman", "mac", "macintosh", "x-mac-roman": self = .macRoman
    case let name: self.init(rawValue: name)
    }
  }

  /// The names that a command line takes, for sentences.
  package static let names = allCases.map(\.rawValue).joined(separator: ", ")

  /// The characters of the bytes from 0x80 on; nil where these are not characters by themselves.
  var upperHalf: [Unicode.Scalar]? {
    switch self {
    case .utf8, .utf16LittleEndian, .utf16BigEndian: nil
    case .windows1252: Self.windowsCharacters
    case .macRoman: Self.macCharacters
    }
  }

  /// <https://encoding.spec.whatwg.org/index-windows-1252.txt>: Latin-1 with characters in place of the
  /// controls 0x80 to 0x9F.
  private static let windowsCharacters: [Unicode.Scalar] =
    Array(
      "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
    + (0xA0...0xFF).map { (byte: UInt8) in Unicode.Scalar(byte) }

  /// <https://www.unicode.org/Public/MAPPINGS/VENDORS/APPLE/ROMAN.TXT>
  private static let macCharacters: [Unicode.Scalar] = Array(
    ("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø"
      + "¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ")
      .unicodeScalars)
}

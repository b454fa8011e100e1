/// The encoding of the text of a file: one that the system's iconv knows.
package struct TextEncoding: Hashable, Sendable {
  /// The name in command lines and manifests, in lower case: `windows-1252`.
  package let rawValue: String
  /// The name for users.
  package let title: String
  /// The name in iconv.
  let systemName: String

  init(_ rawValue: String, _ title: String, _ systemName: String) {
    self.rawValue = rawValue
    self.title = title
    self.systemName = systemName
  }

  /// The encoding with this name in any usual spelling; nil if iconv has none.
  package init?(name: String) {
    let name = name.lowercased()
    if let found = Self.listed.first(where: { $0.rawValue == name }) {
      self = found
    } else if let found = Self.otherNames[name] {
      self = found
    } else {
      // To iconv an empty name, or one with a slash, means more than an encoding.
      guard !name.isEmpty, name.utf8.allSatisfy({ $0 != 0x2F && $0 > 0x20 && $0 < 0x7F }),
        Transcoder(from: name, to: "UTF-8") != nil
      else { return nil }
      self.init(name, name.uppercased(), name.uppercased())
    }
  }

  /// Some names, for sentences.
  package static let examples = "utf-8, utf-16le, windows-1252, windows-1251, shift_jis, gb18030"

  /// Whether every letter, also one of ASCII, has two or four bytes.
  var isWide: Bool { rawValue.hasPrefix("utf-16") || rawValue.hasPrefix("utf-32") }
}

extension TextEncoding {
  package static let utf8 = TextEncoding("utf-8", "UTF-8", "UTF-8")
  package static let utf16LittleEndian = TextEncoding(
    "utf-16le", "UTF-16, little-endian", "UTF-16LE")
  package static let utf16BigEndian = TextEncoding("utf-16be", "UTF-16, big-endian", "UTF-16BE")
  static let utf32LittleEndian = TextEncoding("utf-32le", "UTF-32, little-endian", "UTF-32LE")
  static let utf32BigEndian = TextEncoding("utf-32be", "UTF-32, big-endian", "UTF-32BE")
  /// It includes the printable characters of ISO 8859-1 (Latin-1).
  package static let windows1252 = TextEncoding(
    "windows-1252", "Windows-1252 (Latin-1)", "CP1252")
  /// The encoding of Macs before UTF-8.
  package static let macRoman = TextEncoding("mac-roman", "Mac Roman", "MACINTOSH")

  /// The encodings that are detected automatically, and offered.
  package static let listed =
    [utf8, utf16LittleEndian, utf16BigEndian, utf32LittleEndian, utf32BigEndian]
    + EncodingLetters.all.map(\.encoding)

  /// Other names for some of them, including names that iconv takes for another encoding.
  private static let otherNames: [String: TextEncoding] = {
    var names = [
      "utf8": utf8, "utf16": TextEncoding("utf-16", "UTF-16", "UTF-16"), "windows1252": windows1252,
      "latin1": windows1252, "latin-1": windows1252, "iso-8859-1": windows1252,
      "cp1252": windows1252,
      "macroman": macRoman, "mac": macRoman, "macintosh": macRoman, "x-mac-roman": macRoman,
    ]
    let others = [
      "cp1250": "windows-1250", "cp1251": "windows-1251", "cp1253": "windows-1253",
      "cp1254": "windows-1254", "cp1255": "windows-1255", "cp1256": "windows-1256",
      "cp1257": "windows-1257", "koi8-r": "koi8-u", "koi8": "koi8-u", "latin2": "iso-8859-2",
      "sjis": "shift_jis", "shift-jis": "shift_jis", "cp932": "shift_jis", "gbk": "gb18030",
      "gb2312": "gb18030", "cp936": "gb18030", "cp949": "euc-kr", "cp866": "ibm866",
      "cp850": "ibm850", "thai": "windows-874", "tis-620": "windows-874",
    ]
    for (name, other) in others { names[name] = listed.first { $0.rawValue == other } }
    return names
  }()
}

/// A word or symbol of SQL, as far as needed to tell which tables a statement reads.
enum SQLToken: Hashable {
  enum Keyword: String {
    case select, values, with, from, join, `in`, `as`
  }

  case keyword(Keyword)
  /// A name in lower case, without its quotes. Text in single quotes counts as one, too, because SQLite takes
  /// it for a name where text is not allowed.
  case name(String)
  case open, close, comma, point
  case other

  /// All tokens of a text, without comments and blanks. O(length).
  static func all(of sql: String) -> [SQLToken] {
    var tokens: [SQLToken] = []
    let bytes = Array(sql.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch byte {
      case 0x20, 0x09...0x0D: index += 1
      case UInt8(ascii: "-") where next == byte:
        while index < bytes.count, bytes[index] != 0x0A { index += 1 }
      case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
        index += 2
        while index + 1 < bytes.count,
          bytes[index] != UInt8(ascii: "*") || bytes[index + 1] != UInt8(ascii: "/")
        { index += 1 }
        index = min(index + 2, bytes.count)
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
        tokens.append(quoted(bytes, &index))
      case _ where isWord(byte):
        let start = index
        while index < bytes.count, isWord(bytes[index]) { index += 1 }
        let word = String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
        tokens.append(Keyword(rawValue: word).map(SQLToken.keyword) ?? .name(word))
      default:
        tokens.append(sign(byte))
        index += 1
      }
    }
    return tokens
  }

  private static func sign(_ byte: UInt8) -> SQLToken {
    switch byte {
    case UInt8(ascii: "("): .open
    case UInt8(ascii: ")"): .close
    case UInt8(ascii: ","): .comma
    case UInt8(ascii: "."): .point
    default: .other
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func quoted(_ bytes: [UInt8], _ index: inout Int) -> SQLToken {
    let quote = bytes[index] == UInt8(ascii: "[") ? UInt8(ascii: "]") : bytes[index]
    var text: [UInt8] = []
    index += 1
    while index < bytes.count {
      if bytes[index] == quote {
        index += 1
        // A doubled quote stands for one quote; a bracket cannot be doubled.
        guard quote != UInt8(ascii: "]"), index < bytes.count, bytes[index] == quote else { break }
      }
      text.append(bytes[index])
      index += 1
    }
    return .name(String(decoding: text, as: UTF8.self).lowercased())
  }
}

/// The lines of a file that have bytes beyond ASCII, as far as they are examined, read in one encoding after
/// another.
struct EncodingSample {
  private static let size = 8 * 1024
  private let bytes: [UInt8]

  init(_ head: UnsafeBufferPointer<UInt8>) {
    var bytes: [UInt8] = []
    for line in head.split(separator: 0x0A) where line.contains(where: { $0 >= 0x80 }) {
      bytes.append(contentsOf: line.prefix(Self.size))
      bytes.append(0x0A)
      if bytes.count >= Self.size { break }
    }
    self.bytes = bytes
  }

  /// The text in an encoding, and its score; nil if iconv does not know the encoding.
  ///
  /// Letters that are frequent in some language, in words of one script with capitals only at their
  /// beginning, raise the score; symbols inside words and bytes without a character lower it.
  func reading(_ letters: EncodingLetters) -> (text: String, score: Int)? {
    guard let transcoder = Transcoder(letters.encoding) else { return nil }
    let bytes = bytes.withUnsafeBufferPointer { transcoder.bytes(of: $0, isAtEnd: true) }
    let text = String(decoding: bytes, as: UTF8.self)
    let scalars = Array(text.unicodeScalars)
    let places = scalars.indices.filter { !scalars[$0].isASCII }
    let score = letters.languages.map { language in
      places.reduce(0) { score, place in
        score
          + Self.score(
            scalars[place], after: place > 0 ? scalars[place - 1] : " ",
            before: place + 1 < scalars.count ? scalars[place + 1] : " ", letters, language)
      }
    }.max()
    return (text, score ?? 0)
  }

  private static func score(
    _ scalar: Unicode.Scalar, after former: Unicode.Scalar, before next: Unicode.Scalar,
    _ letters: EncodingLetters, _ language: Set<Unicode.Scalar>
  ) -> Int {
    // A byte without a character.
    if scalar == "\u{FFFD}" { return -60 }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .privateUse, .unassigned: return -40
    case .nonspacingMark: return mark(scalar, after: former, language)
    default: break
    }
    let (isAfterLetter, isBeforeLetter) = (
      former.properties.isAlphabetic, next.properties.isAlphabetic
    )
    if !properties.isAlphabetic {
      if language.contains(scalar) { return !isAfterLetter && isBeforeLetter ? 20 : -4 }
      if closing.contains(scalar) { return 4 }
      let isOfEast = [0x30, 0xFF].contains(scalar.value >> 8)
      return isOfEast ? 8 * (letters.width - 1) : isAfterLetter && isBeforeLetter ? -20 : -4
    }
    let script = EncodingLetters.Script(scalar)
    guard letters.scripts.contains(script) else { return -10 }
    if letters.width == 2 {
      if language.contains(scalar) { return 40 }
      // Such a letter inside a word of Latin letters is an error.
      let neighbours = [EncodingLetters.Script(former), EncodingLetters.Script(next)]
      if neighbours == [.latin, .latin] { return -40 }
      return neighbours.contains(where: letters.scripts.contains) ? 14 : 0
    }
    if isAfterLetter {
      if EncodingLetters.Script(former) != script { return -20 }
      if properties.isUppercase, former.properties.isLowercase || next.properties.isLowercase {
        return -20
      }
      // Letters with marks seldom follow each other.
      if script == .latin, !former.isASCII { return 0 }
    }
    return language.contains(scalar) ? 20 : script == .latin ? -2 : 8
  }

  /// The mark of a vowel or tone follows a letter; only tone marks follow the mark of a vowel.
  private static func mark(
    _ scalar: Unicode.Scalar, after former: Unicode.Scalar, _ language: Set<Unicode.Scalar>
  ) -> Int {
    let isTone = (0xE47...0xE4E).contains(scalar.value)
    let category = former.properties.generalCategory
    let fits = category == .otherLetter || isTone && category == .nonspacingMark
    return fits && language.contains(scalar) ? 20 : -30
  }

  /// Characters that may be next to a word in any text.
  private static let closing: Set<Unicode.Scalar> = [
    "’", "‘", "“", "”", "„", "…", "–", "—", "«", "»", "™", "®", "©", "°", "€", "§", "½", "№",
    "\u{A0}",
  ]
}

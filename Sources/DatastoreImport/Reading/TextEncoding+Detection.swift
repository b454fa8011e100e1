import DatastoreCore

extension TextEncoding {
  /// How many bytes of a file decide.
  static let sampleSize = 256 * 1024

  /// Detects the encoding from the first bytes of a file, with the reason: the rest of a sentence that
  /// begins with “it”.
  ///
  /// A byte order mark decides, or the zeros that UTF-16 has beside ASCII letters. Else the bytes beyond
  /// ASCII are weighed: where most of them make no sense as UTF-8, the file has one byte for each
  /// character, whatever a few of them spell by accident; where most do, it is UTF-8, perhaps a damaged
  /// one, and its readers report the place.
  static func detect(
    _ head: UnsafeBufferPointer<UInt8>, isWhole: Bool
  ) -> (encoding: TextEncoding, reason: String) {
    if head.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, mark) }
    if head.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, mark) }
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, mark) }
    if let encoding = utf16(head) {
      return (encoding, "has a zero in every other byte of its letters")
    }
    let evidence = UTF8Evidence(head, isWhole: isWhole)
    guard evidence.invalid > evidence.valid * 4 else {
      return (.utf8, evidence.sentence)
    }
    let bytes =
      evidence.invalid == 1 ? "1 byte that is" : "\(evidence.invalid) bytes that are"
    let windows = likelihood(of: .windows1252, head)
    let mac = likelihood(of: .macRoman, head)
    return mac > windows && mac > 0
      ? (.macRoman, "has \(bytes) not UTF-8, and letters inside words in Mac Roman only")
      : (.windows1252, "has \(bytes) not UTF-8")
  }

  private static let mark = "begins with a byte order mark"

  /// UTF-16 without a mark: a good part of the units, all of one byte's zeros on the same side, stand for
  /// ASCII. Text in other encodings has no zeros.
  private static func utf16(_ head: UnsafeBufferPointer<UInt8>) -> TextEncoding? {
    let pairs = min(head.count, 1024) / 2
    guard pairs > 1 else { return nil }
    var (first, second) = (0, 0)
    for pair in 0..<pairs {
      if head[pair * 2] == 0 { first += 1 }
      if head[pair * 2 + 1] == 0 { second += 1 }
    }
    if first == 0, second * 4 >= pairs { return .utf16LittleEndian }
    if second == 0, first * 4 >= pairs { return .utf16BigEndian }
    return nil
  }

  /// How many more bytes behind a letter read as what is there in words than as what does not: a
  /// small letter behind a small letter does, a capital, a sign or no character does not.
  private static func likelihood(
    of encoding: TextEncoding, _ head: UnsafeBufferPointer<UInt8>
  ) -> Int {
    guard let characters = encoding.upperHalf else { return 0 }
    var score = 0
    for index in head.indices.dropFirst() where head[index] >= 0x80 {
      let before = Unicode.Scalar(head[index - 1]).properties
      guard head[index - 1] < 0x80, before.isAlphabetic else { continue }
      let isInside =
        index + 1 < head.count && head[index + 1] < 0x80
        && Unicode.Scalar(head[index + 1]).properties.isAlphabetic
      let character = characters[Int(head[index]) - 0x80]
      let properties = character.properties
      if properties.generalCategory == .control {
        score -= 3
      } else if properties.isAlphabetic, properties.isLowercase || !before.isLowercase {
        score += 1
      } else if character == "’" || !isInside && closing.contains(character) {
        score += 1
      } else {
        score -= 1
      }
    }
    return score
  }

  /// What may appear right behind a word.
  private static let closing: Set<Unicode.Scalar> = ["”", "…", "–", "—", "»", "™", "®", "\u{A0}"]
}

/// How far bytes are well-formed UTF-8.
struct UTF8Evidence {
  /// Characters beyond ASCII.
  private(set) var valid = 0
  /// Bytes that belong to no character.
  private(set) var invalid = 0

  /// What speaks for UTF-8: the rest of a sentence that begins with “it”.
  var sentence: String {
    switch valid {
    case 0: "has only ASCII where it was looked at"
    case 1: "has a character beyond ASCII that is well-formed UTF-8"
    default: "has \(valid) characters beyond ASCII that are well-formed UTF-8"
    }
  }

  /// Linear. Unless `isWhole`, a character that is cut at the end counts as nothing.
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

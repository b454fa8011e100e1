extension TextEncoding {
  /// The number of bytes of a file that decide.
  static let sampleSize = 256 * 1024

  /// Detects the encoding from the first bytes of a file, with the reason: the rest of a sentence that begins
  /// with “it”.
  ///
  /// A byte order mark decides, or the zeros next to ASCII letters in UTF-16 and UTF-32. Otherwise the bytes
  /// beyond ASCII are weighed: if most of them are well-formed UTF-8, it is UTF-8, perhaps damaged, and its
  /// readers report the place; if most are not, it is the encoding in which they are letters that go
  /// together.
  static func detect(
    _ head: UnsafeBufferPointer<UInt8>, isWhole: Bool
  ) -> (encoding: TextEncoding, reason: String) {
    for (bytes, encoding) in marks where head.starts(with: bytes) { return (encoding, mark) }
    if let encoding = wide(head) {
      return (encoding, "has zeros beside the bytes of its letters")
    }
    let evidence = UTF8Evidence(head, isWhole: isWhole)
    guard evidence.invalid * 2 > evidence.valid else { return (.utf8, evidence.sentence) }
    let sample = EncodingSample(head)
    var best: (encoding: TextEncoding, text: String, score: Int) = (.windows1252, "", 0)
    var isDoubtful = false
    for letters in EncodingLetters.all {
      guard let (text, score) = sample.reading(letters) else { continue }
      if score > best.score {
        isDoubtful = best.score * 20 > score * 19 && best.text != text
        best = (letters.encoding, text, score)
      } else if score * 20 > best.score * 19, text != best.text {
        isDoubtful = true
      }
    }
    // Some bytes of other encodings are UTF-8 by accident, and some of UTF-8 may be damaged.
    let isSure = best.score >= 12 * (evidence.invalid + evidence.valid)
    guard evidence.invalid > evidence.valid * 4 || isSure else { return (.utf8, evidence.sentence) }
    let bytes = evidence.invalid == 1 ? "1 byte that is" : "\(evidence.invalid) bytes that are"
    return (
      best.encoding,
      "has \(bytes) not UTF-8"
        + (isDoubtful && best.encoding != .windows1252 ? "; it may be another one" : "")
    )
  }

  /// The longer ones first: the mark of UTF-32 begins with that of UTF-16.
  private static let marks: [(bytes: [UInt8], encoding: TextEncoding)] = [
    ([0xFF, 0xFE, 0, 0], .utf32LittleEndian), ([0, 0, 0xFE, 0xFF], .utf32BigEndian),
    ([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
    ([0xEF, 0xBB, 0xBF], .utf8),
  ]

  private static let mark = "begins with a byte order mark"

  /// UTF-16 or UTF-32 without a mark: many of the units, whose zeros are all in the same places, stand for
  /// ASCII. Text in other encodings has no zeros.
  private static func wide(_ head: UnsafeBufferPointer<UInt8>) -> TextEncoding? {
    let units = min(head.count, 2048) / 4
    var zeros = [0, 0, 0, 0]
    for index in 0..<(units * 4) where head[index] == 0 { zeros[index % 4] += 1 }
    if units > 0, zeros[2] == units, zeros[3] == units, zeros[0] == 0 { return .utf32LittleEndian }
    if units > 0, zeros[0] == units, zeros[1] == units, zeros[3] == 0 { return .utf32BigEndian }
    let pairs = min(head.count, 1024) / 2
    guard pairs > 1 else { return nil }
    let (first, second) = (0..<pairs).reduce(into: (0, 0)) { counts, pair in
      if head[pair * 2] == 0 { counts.0 += 1 }
      if head[pair * 2 + 1] == 0 { counts.1 += 1 }
    }
    if first == 0, second * 4 >= pairs { return .utf16LittleEndian }
    if second == 0, first * 4 >= pairs { return .utf16BigEndian }
    return nil
  }
}

/// Splits and searches texts that others wrote, by bytes.
extension StringProtocol where SubSequence == Substring {
  /// The lines, at least one, without their ends: LF, CR LF or CR. O(length).
  package func lines() -> [Substring] {
    guard hasLineEnd else { return [self[...]] }
    var lines: [Substring] = []
    var start = startIndex
    while let end = utf8[start...].firstIndex(where: Quoting.isLineEnd) {
      lines.append(self[start..<end])
      start = utf8.index(after: end)
      if utf8[end] == 0x0D, start < endIndex, utf8[start] == 0x0A {
        start = utf8.index(after: start)
      }
    }
    return lines + [self[start...]]
  }

  /// The line that contains an index, without its end. O(length).
  package func line(at place: Index) -> Substring {
    let before = self[..<place].utf8
    let start = before.lastIndex(where: Quoting.isLineEnd).map { utf8.index(after: $0) }
    let end = self[place...].utf8.firstIndex(where: Quoting.isLineEnd)
    return self[(start ?? startIndex)..<(end ?? endIndex)]
  }

  /// Whether the text has more than one line. O(length).
  package var hasLineEnd: Bool { utf8.contains(where: Quoting.isLineEnd) }

  /// The text between separators, at least one part, including empty ones. O(length · separator).
  ///
  /// - Parameter most: the greatest number of parts; the last one has the rest.
  package func parts(at separator: String, most: Int = .max) -> [Substring] {
    var parts: [Substring] = []
    var start = startIndex
    while parts.count < most - 1, let found = self[start...].place(of: separator) {
      parts.append(self[start..<found.lowerBound])
      start = found.upperBound
    }
    return parts + [self[start...]]
  }

  /// The non-empty parts between ASCII separators. O(length).
  ///
  /// - Parameter most: the greatest number of words; the last one has the rest.
  package func words(at separator: Unicode.Scalar = " ", most: Int = .max) -> [Substring] {
    self[...].utf8.split(
      separator: UInt8(ascii: separator), maxSplits: most == .max ? .max : most - 1
    ).map { self[$0.startIndex..<$0.endIndex] }
  }

  /// The first occurrence of a text, by its bytes. O(length · text).
  package func place(of text: String) -> Range<Index>? {
    let bytes = self[...].utf8
    guard let first = text.utf8.first else { return startIndex..<startIndex }
    var rest = bytes[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: text.utf8) {
        return start..<bytes.index(start, offsetBy: text.utf8.count)
      }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// Whether the text contains an ASCII character. O(length).
  package func has(_ sign: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: sign)) }

  /// The first occurrence of an ASCII character. O(length).
  package func firstPlace(of sign: Unicode.Scalar) -> Index? {
    self[...].utf8.firstIndex(of: UInt8(ascii: sign))
  }

  /// The last occurrence of an ASCII character. O(length).
  package func lastPlace(of sign: Unicode.Scalar) -> Index? {
    self[...].utf8.lastIndex(of: UInt8(ascii: sign))
  }

  /// The text after the ASCII character at an index.
  package func text(after place: Index) -> Substring { self[utf8.index(after: place)...] }

  /// The text before the ASCII character at an index, and that character.
  package func text(through place: Index) -> Substring { self[..<utf8.index(after: place)] }

  /// Whether the text begins with the bytes of another. O(prefix).
  package func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Whether the text ends with the bytes of another. O(suffix).
  package func ends(with suffix: String) -> Bool {
    self[...].utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}

extension Quoting {
  /// Whether a byte of UTF-8 ends a line; CR LF counts as one end.
  @inlinable
  package static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}

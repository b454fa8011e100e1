extension WordSearch {
  /// The ranges of the search's words in a text, each separately, ascending. O(text).
  package func ranges(in text: String) -> [Range<String.Index>] {
    let words = Words(text)
    var isWanted = Array(repeating: false, count: words.count)
    for phrase in phrases {
      for place in phrase.places(in: words) {
        for word in place..<place + phrase.words.count { isWanted[word] = true }
      }
    }
    guard isWanted.contains(true) else { return [] }
    return zip(Self.wordRanges(in: text), isWanted).compactMap { $1 ? $0 : nil }
  }

  /// The range of each word of a text, including its marks.
  private static func wordRanges(in text: String) -> [Range<String.Index>] {
    var ranges: [Range<String.Index>] = []
    var start: String.Index?
    let scalars = text.unicodeScalars
    for index in scalars.indices {
      switch WordTable.role(of: scalars[index]) {
      case .letter: start = start ?? index
      case .mark: continue
      case .separator:
        if let first = start { ranges.append(first..<index) }
        start = nil
      }
    }
    if let start { ranges.append(start..<scalars.endIndex) }
    return ranges
  }
}

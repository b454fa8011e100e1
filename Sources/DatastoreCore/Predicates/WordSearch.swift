/// The right side of `SEARCH`, parsed.
///
///     text SEARCH "apple pie"      both words, anywhere and in any order
///     text SEARCH "app* pie"       a word that begins with `app`, too
///     text SEARCH "\"apple pie\""  one right after the other
///
/// Words are those of SQLite's tokenizer `unicode61`: letters, digits and Unicode's private-use characters
/// belong to words, everything else ends them; case is ignored, and so are the accents of Latin letters
/// (`WordTable`). Several words without a blank between them, such as `well-known`, must follow each other. A
/// text without a word finds nothing.
package struct WordSearch: Sendable, Hashable {
  /// Consecutive words.
  package struct Phrase: Sendable, Hashable {
    /// As written, without the surrounding characters.
    package let text: String
    /// In compared form.
    let words: Words
    /// Whether the last word need only be the beginning of a word.
    package let isPrefix: Bool
  }

  /// The phrases, all of which must be in the text.
  package let phrases: [Phrase]

  package init(_ text: String) {
    var phrases: [Phrase] = []
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      if first.properties.isWhitespace {
        rest.removeFirst()
        continue
      }
      let isQuoted = first == "\""
      if isQuoted { rest.removeFirst() }
      let end =
        rest.firstIndex { $0 == "\"" || !isQuoted && ($0.properties.isWhitespace || $0 == "*") }
        ?? rest.endIndex
      let part = String(rest[..<end])
      rest = rest[end...]
      if isQuoted, !rest.isEmpty { rest.removeFirst() }
      let isPrefix = rest.first == "*"
      while rest.first == "*" { rest.removeFirst() }
      let words = Words(part)
      if words.count > 0 { phrases.append(Phrase(text: part, words: words, isPrefix: isPrefix)) }
    }
    self.phrases = phrases
  }

  /// The search in the language of SQLite's full-text indexes; nil if it finds nothing.
  package var fullTextExpression: String? {
    if phrases.isEmpty { return nil }
    // Phrases contain no quotes, because quotes end them.
    return phrases.map { "\"\($0.text)\"\($0.isPrefix ? " *" : "")" }.joined(separator: " AND ")
  }

  /// Whether a text has all the words. O(text), with two allocations.
  package func matches(_ text: String) -> Bool {
    if phrases.isEmpty { return false }
    let words = Words(text)
    return phrases.allSatisfy { !$0.places(in: words).isEmpty }
  }

  /// The search for a text, cached for the next row.
  package static func of(_ text: String) -> WordSearch {
    known.withLock { known in
      if let search = known[text] { return search }
      let search = WordSearch(text)
      // Conditions use few texts; columns that hold search texts must not fill memory.
      if known.count >= 128 { known.removeAll(keepingCapacity: true) }
      known[text] = search
      return search
    }
  }

  private static let known = Lock<[String: WordSearch]>([:])
}

extension WordSearch.Phrase {
  /// The indices of the words at which the phrase begins.
  func places(in text: WordSearch.Words) -> some Collection<Int> {
    let last = max(-1, text.count - words.count)
    return (0..<last + 1).lazy.filter { isIn(text, at: $0) }
  }

  /// Whether the phrase is in a text, starting at a word.
  fileprivate func isIn(_ text: WordSearch.Words, at start: Int) -> Bool {
    (0..<words.count).allSatisfy { place in
      let word = text[start + place]
      return isPrefix && place == words.count - 1
        ? word.starts(with: words[place]) : word == words[place]
    }
  }
}

extension WordSearch {
  /// The words of a text in compared form, one after the other in one array.
  package struct Words: Sendable, Hashable {
    private var scalars: ContiguousArray<Unicode.Scalar> = []
    /// The end of each word.
    private var ends: ContiguousArray<Int> = []

    package init(_ text: String) {
      scalars.reserveCapacity(text.utf8.count)
      for scalar in text.unicodeScalars {
        switch WordTable.role(of: scalar) {
        case .letter(let folded): scalars.append(folded)
        case .mark: continue
        case .separator: endWord()
        }
      }
      endWord()
    }

    private mutating func endWord() {
      if scalars.count > ends.last ?? 0 { ends.append(scalars.count) }
    }

    package var count: Int { ends.count }

    package subscript(place: Int) -> ContiguousArray<Unicode.Scalar>.SubSequence {
      scalars[(place == 0 ? 0 : ends[place - 1])..<ends[place]]
    }
  }
}

/// What the right side of `SEARCH` asks for.
///
///     text SEARCH "apple pie"      both words, anywhere and in any order
///     text SEARCH "app* pie"       a word that begins with `app`, too
///     text SEARCH "\"apple pie\""  one right after the other
///
/// Words are those of SQLite's tokenizer `unicode61`: letters, digits and what Unicode keeps for private use
/// belong to words, everything else ends them; upper and lower case are equal, and so are Latin letters with
/// and without accents (`WordTable`). What has several words without a blank between them, such as
/// `well-known`, is meant as one after the other. A text that asks for no word finds nothing.
package struct WordSearch: Sendable, Hashable {
  /// Words that follow each other.
  package struct Phrase: Sendable, Hashable {
    /// As they were written, without what stood around them.
    package let text: String
    /// As they are compared.
    let words: Words
    /// Whether the last one need only be the beginning of a word.
    package let isPrefix: Bool
  }

  /// All of them have to be in the text.
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

  /// The same in the language of SQLite's full-text indexes; nil where nothing can be found.
  package var fullTextExpression: String? {
    if phrases.isEmpty { return nil }
    // What is quoted has no quotes inside: they end a phrase.
    return phrases.map { "\"\($0.text)\"\($0.isPrefix ? " *" : "")" }.joined(separator: " AND ")
  }

  /// Whether a text has all that is asked for. O(text), with two allocations.
  package func matches(_ text: String) -> Bool {
    if phrases.isEmpty { return false }
    let words = Words(text)
    return phrases.allSatisfy { !$0.places(in: words).isEmpty }
  }

  /// The search for a text, kept for the next row that it is asked of.
  package static func of(_ text: String) -> WordSearch {
    known.withLock { known in
      if let search = known[text] { return search }
      let search = WordSearch(text)
      // Conditions use few texts; columns that hold them must not fill memory.
      if known.count >= 128 { known.removeAll(keepingCapacity: true) }
      known[text] = search
      return search
    }
  }

  private static let known = Lock<[String: WordSearch]>([:])
}

extension WordSearch.Phrase {
  /// The words of a text with which it begins there.
  func places(in text: WordSearch.Words) -> some Collection<Int> {
    let last = max(-1, text.count - words.count)
    return (0..<last + 1).lazy.filter { isIn(text, at: $0) }
  }

  /// Whether it is in a text from a word on.
  fileprivate func isIn(_ text: WordSearch.Words, at start: Int) -> Bool {
    (0..<words.count).allSatisfy { place in
      let word = text[start + place]
      return isPrefix && place == words.count - 1
        ? word.starts(with: words[place]) : word == words[place]
    }
  }
}

extension WordSearch {
  /// The words of a text, as they are compared: one after the other in one array.
  package struct Words: Sendable, Hashable {
    private var scalars: ContiguousArray<Unicode.Scalar> = []
    /// Where each word ends.
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

/// How well a short text that was typed fits a longer one: its characters must occur in order, and
/// fit better next to each other and at the beginnings of words.
package enum FuzzyMatch {
  /// The fit, higher is better; nil when some character is missing. Case makes no difference, and
  /// blanks in the query are left out. O(length of the text × length of the query).
  package static func score(_ query: String, in text: String) -> Int? {
    let wanted = query.lowercased().filter { !$0.isWhitespace }
    guard let first = wanted.first else { return 0 }
    let characters = Array(text.lowercased())
    var best: Int?
    // The best fit need not begin at the first place where the query's first character occurs.
    for start in characters.indices where characters[start] == first {
      guard let score = score(Array(wanted), in: characters, from: start) else { break }
      best = max(best ?? .min, score)
    }
    return best
  }

  private static func score(
    _ wanted: [Character], in characters: [Character], from start: Int
  ) -> Int? {
    var score = 0
    var previous: Int?
    var next = 0
    for index in start..<characters.count where next < wanted.count {
      guard characters[index] == wanted[next] else { continue }
      let beginsWord =
        index == 0 || !(characters[index - 1].isLetter || characters[index - 1].isNumber)
      score += 10 + (beginsWord ? 8 : 0)
      if let previous { score -= index == previous + 1 ? -12 : min(6, index - previous) }
      previous = index
      next += 1
    }
    // A shorter text says more about what was meant.
    return next == wanted.count ? score * 4 - start - characters.count / 4 : nil
  }
}

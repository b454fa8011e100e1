import Basics
import Foundation

/// The text comparisons of predicates, in memory and in SQL.
///
/// `CONTAINS`, `BEGINSWITH` and `ENDSWITH` compare UTF-8 bytes, without canonical equivalence; an empty right
/// side holds for any text. `LIKE` compares the whole text with a pattern in which `*` matches any text,
/// `?` one Unicode scalar and `\` makes the next character literal (at the end it is literal itself).
/// `MATCHES` is true when the regular expression (ICU) matches the whole text; an invalid expression, which
/// can only come from a column, matches nothing. `SEARCH` looks for words (`WordSearch`).
package enum TextMatching {
  /// Whether a textual comparison holds between two texts.
  ///
  /// The texts must already be folded if the comparator says so (`isFolded`). For `matches`, `[c]` becomes
  /// the expression's own option and `[d]` drops marks from both. `search` ignores the options: case and
  /// accents never count.
  ///
  /// O(text × pattern) at worst, except for `matches`, whose cost depends on the expression.
  ///
  /// - Throws: `RegularExpression.Exhaustion`.
  package static func holds(
    _ comparator: Predicate.TextComparator, _ text: String, _ pattern: String,
    options: Predicate.StringOptions
  ) throws(RegularExpression.Exhaustion) -> Bool {
    switch comparator {
    case .contains: withBytes(text, pattern, contains)
    case .beginsWith: text.utf8.starts(with: pattern.utf8)
    case .endsWith: text.utf8.reversed().starts(with: pattern.utf8.reversed())
    case .like: withBytes(text, pattern, like)
    case .search: WordSearch.of(pattern).matches(text)
    case .matches: try RegularExpression.matches(text, pattern, options: options)
    }
  }

  /// Folds both sides according to the options, then compares. For the SQL function.
  ///
  /// - Throws: `RegularExpression.Exhaustion`.
  package static func holdsFolding(
    _ comparator: Predicate.TextComparator, _ text: String, _ pattern: String,
    options: Predicate.StringOptions
  ) throws(RegularExpression.Exhaustion) -> Bool {
    guard !options.isEmpty, comparator.isFolded else {
      return try holds(comparator, text, pattern, options: options)
    }
    return try holds(
      comparator, TextFolding.fold(text, options), TextFolding.fold(pattern, options),
      options: options)
  }

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  private static func withBytes(
    _ text: String, _ pattern: String, _ body: (Bytes, Bytes) -> Bool
  ) -> Bool {
    var text = text
    var pattern = pattern
    return text.withUTF8 { text in pattern.withUTF8 { body(text, $0) } }
  }

  private static func contains(_ text: Bytes, _ needle: Bytes) -> Bool {
    guard let first = needle.first else { return true }
    var start = 0
    while start + needle.count <= text.count {
      if text[start] == first,
        text[start..<start + needle.count].elementsEqual(needle)
      {
        return true
      }
      start += 1
    }
    return false
  }

  /// Remembers only the last `*`: the text skipped by an earlier one need never be tried again.
  private static func like(_ text: Bytes, _ pattern: Bytes) -> Bool {
    let star = UInt8(ascii: "*")
    let question = UInt8(ascii: "?")
    let escape = UInt8(ascii: "\\")
    var position = 0
    var place = 0
    var retry: (position: Int, place: Int)?
    while position < text.count {
      if place < pattern.count {
        if pattern[place] == star {
          place += 1
          retry = (position, place)
          continue
        }
        if pattern[place] == question {
          place += 1
          position += scalarLength(text[position])
          continue
        }
        let literal = pattern[place] == escape && place + 1 < pattern.count ? place + 1 : place
        if pattern[literal] == text[position] {
          place = literal + 1
          position += 1
          continue
        }
      }
      guard let last = retry else { return false }
      position = last.position + scalarLength(text[last.position])
      place = last.place
      retry = (position, place)
    }
    while place < pattern.count, pattern[place] == star { place += 1 }
    return place == pattern.count
  }

  private static func scalarLength(_ first: UInt8) -> Int {
    first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
  }
}

extension RegularExpression {
  /// Whether the expression of a `MATCHES` matches the whole text; false when it does not compile. Any
  /// thread.
  package static func matches(
    _ text: String, _ pattern: String, options: Predicate.StringOptions
  ) throws(Exhaustion) -> Bool {
    let marks = options.intersection(.diacriticInsensitive)
    do {
      return try matches(
        TextFolding.fold(text, marks), TextFolding.fold(pattern, marks),
        ignoringCase: options.contains(.caseInsensitive))
    } catch {
      // Reports the pattern as written.
      throw Exhaustion(pattern: pattern)
    }
  }
}

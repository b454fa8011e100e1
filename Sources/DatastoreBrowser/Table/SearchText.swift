import DatastoreCore
import Foundation
import TerminalUI

/// The text of a search: matching ignores case unless the text has upper case, and accents unless it has
/// some. Or words, by the rules of `SEARCH`.
struct SearchText: Hashable, Sendable, CustomStringConvertible {
  let text: String
  /// The comparison options for a store.
  let options: DatastoreCore.Predicate.StringOptions
  /// The words to search for; nil to search for any part of a text.
  let words: WordSearch?

  init(_ text: String, asWords: Bool = false) {
    self.text = text
    words = asWords ? WordSearch.of(text) : nil
    var options: DatastoreCore.Predicate.StringOptions = []
    if !text.contains(where: \.isUppercase) { options.insert(.caseInsensitive) }
    let composed = text.precomposedStringWithCanonicalMapping
    // Compares the UTF-8, since Swift's `==` would also accept canonically equivalent texts.
    if TextFolding.fold(composed, .diacriticInsensitive).utf8.elementsEqual(composed.utf8) {
      options.insert(.diacriticInsensitive)
    }
    self.options = options
  }

  var isEmpty: Bool { text.isEmpty }
  var description: String { text }

  /// Whether a text matches.
  func isIn(_ shown: String) -> Bool { words?.matches(shown) ?? (range(in: shown) != nil) }

  /// The comparison options for Foundation.
  private var comparison: String.CompareOptions {
    var comparison: String.CompareOptions = []
    if options.contains(.caseInsensitive) { comparison.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { comparison.insert(.diacriticInsensitive) }
    return comparison
  }

  /// The range of the first match in a text, for words as for parts of a text; nil if there is none.
  func range(
    in shown: some StringProtocol, after start: String.Index? = nil
  ) -> Range<String.Index>? {
    let rest = (start ?? shown.startIndex)..<shown.endIndex
    return shown.range(of: text, options: comparison, range: rest)
  }

  /// The ranges of the matches in a cell's text, in cells from its start.
  ///
  /// - Parameter width: the number of cells to search; matches beyond it are ignored.
  func matches(in shown: String, width: Int) -> [Range<Int>] {
    guard !text.isEmpty else { return [] }
    if let words {
      return words.ranges(in: shown).compactMap { range in
        let start = shown[..<range.lowerBound].displayWidth(upTo: width)
        let length = shown[range].displayWidth(upTo: width)
        return start < width ? start..<min(width, start + length) : nil
      }
    }
    var matches: [Range<Int>] = []
    var next = shown.startIndex
    while let found = range(in: shown, after: next) {
      let start = shown[..<found.lowerBound].displayWidth(upTo: width)
      guard start < width, !found.isEmpty else { break }
      let length = shown[found].displayWidth(upTo: width)
      matches.append(start..<min(width, start + length))
      next = found.upperBound
    }
    return matches
  }
}

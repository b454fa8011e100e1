import DatastoreCore
import Foundation
import TerminalUI

/// A text that is searched for: the case of letters makes no difference unless it has upper case, accents
/// make none unless it has some. Or words, by the rules of `SEARCH`.
struct SearchText: Hashable, Sendable, CustomStringConvertible {
  let text: String
  /// What makes no difference, to a store.
  let options: DatastoreCore.Predicate.StringOptions
  /// What is asked for, where whole words are searched for and not any part of a text.
  let words: WordSearch?

  init(_ text: String, asWords: Bool = false) {
    self.text = text
    words = asWords ? WordSearch.of(text) : nil
    var options: DatastoreCore.Predicate.StringOptions = []
    if !text.contains(where: \.isUppercase) { options.insert(.caseInsensitive) }
    let composed = text.precomposedStringWithCanonicalMapping
    // Whether two texts are the same to Swift says nothing about their accents.
    if TextFolding.fold(composed, .diacriticInsensitive).utf8.elementsEqual(composed.utf8) {
      options.insert(.diacriticInsensitive)
    }
    self.options = options
  }

  var isEmpty: Bool { text.isEmpty }
  var description: String { text }

  /// Whether a text has what is searched for.
  func isIn(_ shown: String) -> Bool { words?.matches(shown) ?? (range(in: shown) != nil) }

  /// The same to Foundation.
  private var comparison: String.CompareOptions {
    var comparison: String.CompareOptions = []
    if options.contains(.caseInsensitive) { comparison.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { comparison.insert(.diacriticInsensitive) }
    return comparison
  }

  /// Where the text is first in another one, whether words are asked for or not; nil where it is not.
  func range(
    in shown: some StringProtocol, after start: String.Index? = nil
  ) -> Range<String.Index>? {
    let rest = (start ?? shown.startIndex)..<shown.endIndex
    return shown.range(of: text, options: comparison, range: rest)
  }

  /// Where the text is in what a cell shows, in cells from its start.
  ///
  /// - Parameter width: cells further right are not looked at.
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

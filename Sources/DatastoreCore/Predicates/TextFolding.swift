import Foundation

/// The folding of text by `[c]` and `[d]` before it is compared, in memory and in SQL.
package enum TextFolding {
  /// The text without the differences that the options ignore.
  ///
  /// `[c]` maps every character to lower case (Unicode's full mapping, without language-specific rules: `İ`
  /// becomes `i` with a dot above, `ß` stays). `[d]` decomposes, drops nonspacing marks and composes again:
  /// `é` becomes `e`; letters that do not decompose (`ø`, `ł`) stay. `[c]` alone does not normalise. ASCII
  /// text takes a fast path. O(length).
  package static func fold(_ text: String, _ options: Predicate.StringOptions) -> String {
    if options.isEmpty { return text }
    let ignoresCase = options.contains(.caseInsensitive)
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return ignoresCase ? lowercasedASCII(text) : text
    }
    let lowered = ignoresCase ? text.lowercased() : text
    return options.contains(.diacriticInsensitive) ? withoutMarks(lowered) : lowered
  }

  /// The forms in which a text may be stored: with composed accented letters, and with combining accents.
  package static func forms(of text: String) -> [String] {
    let composed = text.precomposedStringWithCanonicalMapping
    let decomposed = text.decomposedStringWithCanonicalMapping
    return composed.utf8.elementsEqual(decomposed.utf8) ? [text] : [composed, decomposed]
  }

  private static func lowercasedASCII(_ text: String) -> String {
    guard text.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return text }
    return String(unsafeUninitializedCapacity: text.utf8.count) { buffer in
      for (index, byte) in text.utf8.enumerated() {
        buffer.initializeElement(
          at: index, to: (0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
      }
      return text.utf8.count
    }
  }

  private static func withoutMarks(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars
    where scalar.properties.generalCategory != .nonspacingMark {
      kept.append(scalar)
    }
    return String(kept).precomposedStringWithCanonicalMapping
  }
}

import Testing

/// A reader of text from people or programs, and its rules for any input: it never traps, never hangs, and
/// each broken rule is a sentence.
struct FuzzTarget: Sendable, CustomTestStringConvertible {
  let name: String
  /// Whole inputs to begin from.
  let seeds: [String]
  /// Pieces that mean something in its language.
  let words: [String]
  /// The longest input that is made of them.
  var limit = 400
  /// Reads an input and returns the rules that are broken.
  let check: @Sendable ([UInt8]) -> [String]

  var testDescription: String { name }

  /// Without it, an error that quotes its input would be as long as that.
  static let longestSentence = 4_000

  static func sentence(_ text: String, of input: [UInt8]) -> [String] {
    if text.isEmpty { return ["an error says nothing"] }
    return text.utf8.count > longestSentence + 4 * min(input.count, 2_000)
      ? ["an error of \(text.utf8.count) bytes for an input of \(input.count)"] : []
  }

  static let all = [
    predicate, sortOrder, csv, json, jsonLines, theme, configuration, manifest, recovery,
  ]
}

import ArgumentParser
import Foundation

/// The command line that a shell wants to complete.
struct CompletionLine {
  /// The words without the program, the command and the word to complete, unquoted.
  let words: [String]
  /// The word to complete, up to the cursor.
  let beginning: String

  /// - Parameters:
  ///   - words: the words as typed, the program first.
  ///   - index: the index of the word to complete.
  ///   - beginning: that word up to the cursor.
  init(_ words: [String], _ index: Int, _ beginning: String) {
    // Before version 4, fish passes words unquoted.
    let isPlain =
      CompletionShell.requesting == .fish
      && CompletionShell.requestingVersion?.hasPrefix("3.") ?? true
    func plain(_ word: String) -> String { isPlain ? word : Self.unquoted(word) }
    var rest = words.indices.filter { $0 > 0 && $0 != index }.map { plain(words[$0]) }
    if let first = rest.first, (Datastore.commandNames + ["help"]).contains(first) {
      rest.removeFirst()
    }
    self.words = rest
    self.beginning = plain(beginning)
  }

  /// The word after an option.
  func value(of option: String) -> String? {
    words.lastIndex(of: option).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
  }

  /// The words that are neither options nor, as far as this can be known, their values: a word after a flag
  /// counts only if it is a file.
  var operands: [String] {
    words.indices.filter { index in
      let word = words[index]
      if word.hasPrefix("-"), word != "-" { return false }
      guard index > 0, words[index - 1].hasPrefix("-"), words[index - 1] != "--" else {
        return true
      }
      return ["-o", "--output", "--with", "--into", "--config", "--replay", "--theme"]
        .contains(words[index - 1])
        ? false : FileManager.default.fileExists(atPath: word)
    }.map { words[$0] }
  }

  /// Unquotes a word of bash, zsh or fish. Expands only a `~` at the start.
  static func unquoted(_ word: String) -> String {
    // By scalars, because for a shell a quote followed by a combining mark is a quote.
    var text = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    var isEscaped = false
    for scalar in word.unicodeScalars {
      if isEscaped {
        if quote == "\"", !"\"\\$`".unicodeScalars.contains(scalar) { text.append("\\") }
        text.append(scalar)
        isEscaped = false
      } else if scalar == "\\", quote != "'" {
        isEscaped = true
      } else if scalar == quote {
        quote = nil
      } else if quote == nil, scalar == "'" || scalar == "\"" {
        quote = scalar
      } else {
        text.append(scalar)
      }
    }
    guard word.hasPrefix("~/") else { return String(text) }
    return FileManager.default.homeDirectoryForCurrentUser.path + String(text.dropFirst())
  }
}

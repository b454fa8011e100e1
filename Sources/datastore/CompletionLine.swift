import ArgumentParser
import Foundation

/// The words of a command line that a shell asks to be completed.
struct CompletionLine {
  /// Without the program, the command and the word that is completed, and without their quotes.
  let words: [String]
  /// The word that is completed, up to the cursor.
  let beginning: String

  /// - Parameters:
  ///   - words: as they are typed, the program first.
  ///   - index: the number of the word that is completed.
  ///   - beginning: of that word.
  init(_ words: [String], _ index: Int, _ beginning: String) {
    // Before version 4, fish hands words on as programs get them.
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

  /// What follows an option.
  func value(of option: String) -> String? {
    words.lastIndex(of: option).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
  }

  /// Words that are neither options nor, as far as one sees, values of them: those after flags are only taken
  /// where they are files.
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

  /// A word of bash, zsh and fish as a program gets it. Nothing is expanded but a `~` at the start.
  static func unquoted(_ word: String) -> String {
    // Scalars: a quote with a mark behind it is a quote to a shell.
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

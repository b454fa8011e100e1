import Basics
import Foundation
import Gates

/// Messages of the program for people. All of them pass here, and no text from a file, a name or an argument
/// gets through with a character that a terminal obeys: a mark is shown instead.
///
/// If standard error is closed, the message is dropped.
enum Message {
  /// Writes `datastore: ` and the sentence on standard error. Further lines are indented, so that
  /// none of them looks like another message.
  static func write(_ sentence: String) {
    writeLine("datastore: " + indented(sentence))
  }

  /// Writes a line on standard error.
  static func writeLine(_ line: String) {
    put(safe(line) + "\n", to: .standardError)
  }

  /// Writes a question on standard error; the user types the answer after it.
  static func ask(_ question: String) {
    put(question.markingHarmful(), to: .standardError)
  }

  /// Overwrites the current line of the terminal, without moving to the next one.
  ///
  /// - Parameter length: the number of characters of the line that was written there before.
  static func overwriteLine(_ line: String, over length: Int = 0) {
    let padding = String(repeating: " ", count: max(0, length - line.count))
    put("\r" + line.markingHarmful() + padding, to: .standardError)
  }

  /// Clears the current line of the terminal.
  ///
  /// - Parameter length: the number of its characters.
  static func clearLine(_ length: Int) {
    put("\r" + String(repeating: " ", count: length) + "\r", to: .standardError)
  }

  /// Writes a line on standard output: a result that is a sentence, not data.
  static func answer(_ line: String) {
    put(safe(line) + "\n", to: .standardOutput)
  }

  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  private static func indented(_ text: String) -> String {
    text.lines().enumerated()
      .map { $0 == 0 || $1.begins(with: "  ") ? String($1) : "  " + $1 }.joined(separator: "\n")
  }

  private static func safe(_ text: String) -> String { text.markingHarmful(keepsLines: true) }

  private static func put(_ text: String, to stream: FileHandle) {
    try? stream.write(contentsOf: Data(text.utf8))
  }
}

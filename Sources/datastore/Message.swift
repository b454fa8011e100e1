import Foundation

/// What the program says on standard error.
enum Message {
  /// Writes `datastore: ` and the sentence.
  static func write(_ sentence: String) {
    writeLine("datastore: " + sentence)
  }

  static func writeLine(_ line: String) {
    write(raw: line + "\n")
  }

  /// Writes text as it is. If standard error is closed, there is nobody to tell.
  static func write(raw text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}

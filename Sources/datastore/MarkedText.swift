import Basics
import DatastoreExport
import TerminalUI

/// A message about a place in a text that someone has typed: the message, the line, and a caret under the
/// place, which is measured in terminal cells.
struct MarkedText: CustomStringConvertible {
  let description: String

  /// - Parameters:
  ///   - offset: the start of the place in UTF-8 bytes.
  ///   - length: the length of the place in UTF-8 bytes.
  init(_ message: String, _ text: String, at offset: Int, length: Int) {
    let start = text.utf8.index(text.utf8.startIndex, offsetBy: min(offset, text.utf8.count))
    let end =
      text.utf8.index(start, offsetBy: length, limitedBy: text.endIndex) ?? text.endIndex
    let line = text.line(at: start)
    let (lineStart, lineEnd) = (line.startIndex, line.endIndex)
    let before = String(text[lineStart..<start]).withoutTerminalControls
    let place = String(text[start..<min(end, max(start, lineEnd))]).withoutTerminalControls
    let shown = String(text[lineStart..<max(start, lineEnd)]).withoutTerminalControls
    let padding = String(repeating: " ", count: before.displayWidth())
    let tail = String(repeating: "~", count: max(place.displayWidth() - 1, 0))
    description = "\(message)\n  \(shown)\n  \(padding)^\(tail)"
  }
}

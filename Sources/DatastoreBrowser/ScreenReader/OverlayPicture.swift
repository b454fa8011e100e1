import Basics
import TerminalUI

/// An overlay as text for a screen reader: its lines without frames, bars and empty lines.
struct OverlayPicture {
  let lines: [String]
  /// The selected line.
  let selected: String?
  /// The index of the line with the terminal's cursor.
  let cursorLine: Int?

  init(_ overlay: any Overlay, in state: BrowserState) {
    // Draws the overlay only: the screen under it has been said.
    var buffer = ScreenBuffer(size: state.size, glyphs: .unicode)
    let cursor = overlay.draw(into: &buffer, in: state)
    var lines: [String] = []
    var selected: String?
    var cursorLine: Int?
    for row in 0..<buffer.size.rows {
      let cells = buffer.row(row)
      let text = Self.spoken(cells.map(\.text).joined())
      guard !text.isEmpty else { continue }
      let isSelected = cells.contains {
        ($0.backdrop == .selection || $0.backdrop == .selectionInactive) && $0.text != " "
      }
      if isSelected { selected = selected ?? text }
      if cursor?.row == row { cursorLine = lines.count }
      lines.append(text)
    }
    self.lines = lines
    self.selected = selected
    self.cursorLine = cursorLine
  }

  /// A line of the screen without drawn shapes, with single blanks.
  private static func spoken(_ line: String) -> String {
    var text = ""
    for scalar in line.unicodeScalars {
      switch scalar.value {
      // Lines, blocks and arrows of lists.
      case 0x2500...0x259F, 0x25B8, 0x25BE: text.unicodeScalars.append(" ")
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text.words().joined(separator: " ")
  }
}

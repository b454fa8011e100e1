import DatastoreCore
import TerminalUI

extension FilterState {
  /// The area of the line: above the footer, over everything else.
  static func lineArea(in size: Size) -> Rectangle {
    Rectangle.aboveFooter(size).split(bottom: 5).bottom
  }

  /// Draws the current face; returns the position of the terminal's cursor.
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    switch face {
    case .text: drawLine(into: &buffer, size: state.size)
    case .form: drawForm(into: &buffer, size: state.size, names: { state.names[$0, $1] })
    }
  }

  private func drawLine(into buffer: inout ScreenBuffer, size: Size) -> Position? {
    let area = Self.lineArea(in: size)
    let body = Box(title: "\(entity.name) where", note: matches.text)
      .cover(&buffer, in: area).inset(horizontal: 1)
    let (top, below) = body.split(top: 1)
    // Drawing scrolls the field; only keys change the stored state.
    var field = line.field
    let cursor = field.draw(
      into: &buffer, in: top,
      placeholder: "a condition, such as  name CONTAINS[c] \"an\" AND age >= 30")
    if let notice {
      buffer.draw(wrapped: notice, in: below, role: .success)
    } else if let fault = line.fault {
      draw(fault, of: field, into: &buffer, in: top, message: below)
    } else if let advice = predicate?.advice.first {
      buffer.draw(wrapped: advice, in: below, role: .warning)
    }
    line.menu.draw(
      into: &buffer, at: anchor(in: area), on: Rectangle.aboveFooter(size))
    return cursor
  }

  private func draw(
    _ fault: FilterLine.Fault, of field: TextField, into buffer: inout ScreenBuffer,
    in line: Rectangle, message area: Rectangle
  ) {
    let role: StyleRole = fault.isUnfinished ? .dim : .error
    if !fault.isUnfinished {
      field.markFault(at: fault.offset, length: fault.length, into: &buffer, in: line)
    }
    // Half a word is no fault while there are completions for it.
    if fault.isUnfinished, fault.length > 0, !self.line.menu.items.isEmpty { return }
    buffer.draw(wrapped: fault.message, in: area, role: role)
  }

  /// The position of the menu: over the word that it completes.
  func anchor(in area: Rectangle) -> Position {
    let body = area.inset(horizontal: 2, vertical: 1)
    let before = line.field.text.prefix(line.range.lowerBound).displayWidth()
    // The distance that the field is scrolled by if its cursor is at the end of a long text.
    let cursor = line.field.beforeCursor.displayWidth()
    let scrolled = max(0, cursor - body.columns + 1)
    return Position(
      column: min(max(body.left, body.left + before - scrolled), body.right - 1), row: area.top)
  }
}

import TerminalUI

extension SQLConsole {
  /// The result of the last statement that wrote, or the fault of the last statement.
  private var note: String { fault?.message ?? report ?? "" }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let whole = Rectangle.aboveStatus(buffer.size)
    let most = max(3, whole.rows / 3)
    let notes = note.wrapped(to: max(1, whole.columns - 4)).prefix(note.isEmpty ? 0 : most)
    let lines = min(max(3, area.lines.count), most)
    let (box, _) = whole.split(top: lines + notes.count + 2)
    buffer.fill(box)
    let inside = Box(
      title: "SQL", trailingTitle: isWritable ? "MAY WRITE" : "reads only", isFocused: true
    ).draw(into: &buffer, in: box)
    let (editor, below) = inside.split(bottom: notes.count)
    for (row, line) in notes.enumerated() {
      buffer.draw(
        line, at: Position(column: below.left + 1, row: below.top + row),
        width: max(0, below.columns - 2), role: fault == nil ? .text : .error)
    }
    let cursor = area.draw(into: &buffer, in: editor, placeholder: Self.placeholder)
    drawStatus(into: &buffer, in: state)
    if let cursor { menu.draw(into: &buffer, at: cursor, on: whole) }
    return cursor
  }

  private func drawStatus(into buffer: inout ScreenBuffer, in state: BrowserState) {
    let line = state.layout.status
    let isRunning = state.editing.pendingAnswer == .nestedStore
    let text =
      isWriting
      ? "writing… esc stops it and rolls back" : isRunning ? "running… esc stops" : report ?? ""
    guard state.message == nil else { return }
    buffer.draw(
      " " + (fault?.message ?? text), at: line.origin, width: line.columns,
      role: fault == nil ? .statusBar : .error)
  }
}

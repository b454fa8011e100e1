import TerminalUI

extension SQLConsole {
  /// The result of the last statement that wrote, or the fault of the last statement.
  private var note: String { fault?.message ?? report ?? "" }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let whole = Rectangle.aboveStatus(buffer.size)
    let most = max(3, whole.rows / 3)
    let notes = note.isEmpty ? [] : note.wrapped(to: max(1, whole.columns - 4))
    let noteRows = min(notes.count, most)
    let lines = min(max(3, area.lines.count), most)
    let (box, _) = whole.split(top: lines + noteRows + 2)
    let inside = Box(
      title: "SQL", trailingTitle: isWritable ? "MAY WRITE" : "reads only"
    ).cover(&buffer, in: box)
    let (editor, below) = inside.split(bottom: noteRows)
    buffer.draw(
      lines: notes, in: below.inset(horizontal: 1), role: fault == nil ? .text : .error)
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
    buffer.draw(" " + (fault?.message ?? text), in: line, role: fault == nil ? .statusBar : .error)
  }
}

import DatastoreCore
import TerminalUI

extension DetailState {
  /// Draws the properties with their border.
  func draw(
    into buffer: inout ScreenBuffer, _ layout: ScreenLayout, title: String, isFocused: Bool,
    name: (_ entity: EntityIndex, _ key: RowKey) -> NameCache.Entry?,
    marks staged: StagingMarks.Mark? = nil
  ) {
    let area = layout.detail
    guard !area.isEmpty else { return }
    let marks = Marks(buffer.glyphs)
    let body = layout.drawFrame(
      Box(title: (staged.map { $0.sign + " " } ?? "") + title, isFocused: isFocused),
      into: &buffer, in: area)
    if let message = notice ?? (object == nil ? "No row is selected." : nil) {
      return buffer.draw(wrapped: message, in: body.inset(horizontal: 1), role: .dim)
    }
    let lines = DetailLines(self, width: body.columns, marks: marks, name: name)
    let visible = first..<max(first, min(lines.lines.count, first + body.rows))
    guard !visible.isEmpty else { return }
    for (row, index) in visible.enumerated() {
      let line = body.row(row)
      draw(lines.lines[index], of: lines, into: &buffer, in: line)
      mark(lines.lines[index], of: lines, staged, into: &buffer, in: line)
      if lines.lines[index].item == cursor {
        buffer.highlight(line, as: isFocused ? .selection : nil)
      }
    }
    Scrollbar(count: lines.lines.count, visible: visible).draw(
      into: &buffer, beside: body, column: area.right - 1)
  }

  private func draw(
    _ line: DetailLines.Line, of lines: DetailLines, into buffer: inout ScreenBuffer,
    in area: Rectangle
  ) {
    var column = area.left
    buffer.draw(
      line.name, at: Position(column: column, row: area.top), width: lines.nameWidth,
      role: .heading, truncation: .middle)
    column += lines.nameWidth + 2
    buffer.draw(
      line.type, at: Position(column: column, row: area.top), width: lines.typeWidth, role: .dim)
    column += lines.typeWidth + 2
    buffer.draw(
      line.value, at: Position(column: column, row: area.top),
      width: max(0, area.right - column), role: line.role)
  }
}

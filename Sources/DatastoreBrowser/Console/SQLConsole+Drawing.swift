import Basics
import DatastoreExport
import TerminalUI

extension SQLConsole {
  /// Where the parts lie.
  struct Layout {
    let editor: Rectangle
    let result: Rectangle
    /// The rows of the answer, below the names of its columns.
    let body: Rectangle

    init(_ console: SQLConsole, _ size: Size) {
      let whole = Rectangle.aboveStatus(size)
      let lines = min(max(3, console.area.lines.count), max(3, whole.rows / 3))
      (editor, result) = whole.split(top: lines + 2)
      body = result.inset(horizontal: 1, vertical: 1).split(top: 1).rest
    }
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let layout = Layout(self, buffer.size)
    buffer.fill(layout.editor)
    buffer.fill(layout.result)
    let inside = Box(
      title: "SQL", trailingTitle: isWritable ? "MAY WRITE" : "reads only",
      isFocused: part == .editor
    ).draw(into: &buffer, in: layout.editor)
    let cursor = area.draw(into: &buffer, in: inside, placeholder: Self.placeholder)
    draw(result, into: &buffer, layout)
    drawStatus(into: &buffer, in: state)
    if let cursor, part == .editor {
      menu.draw(into: &buffer, at: cursor, on: Rectangle.aboveStatus(buffer.size))
      return cursor
    }
    return nil
  }

  private func drawStatus(into buffer: inout ScreenBuffer, in state: BrowserState) {
    let line = state.layout.status
    let role = state.message?.role ?? (fault == nil ? .statusBar : .error)
    let text = state.message?.text ?? fault?.message ?? statusText
    buffer.draw(" " + text, at: line.origin, width: line.columns, role: role)
  }

  /// What the console is doing, in words.
  var statusText: String {
    if let report { return report }
    if isWriting { return "writing… esc stops it and rolls back" }
    guard let result else { return "" }
    let count = CountText.counted(result.count, "row")
    if isRunning {
      return result.count == 0 ? "running… esc stops" : "\(count), reading… esc stops"
    }
    return result.isWhole ? count : "first \(count): \(result.ending)"
  }

  private func draw(
    _ result: SQLResult?, into buffer: inout ScreenBuffer, _ layout: Layout
  ) {
    let body = layout.body
    let marks = Marks(buffer.glyphs)
    let total = result.map { CountText.grouped($0.count) + ($0.isWhole ? "" : "+") } ?? ""
    let note =
      result.map { $0.count == 0 ? "" : "\(CountText.grouped($0.scroll.cursor + 1)) of \(total)" }
    Box(title: "Answer", note: note ?? "", isFocused: part == .result)
      .draw(into: &buffer, in: layout.result)
    guard let result else {
      let text = fault?.message ?? report ?? ""
      for (row, line) in text.wrapped(to: max(1, body.columns - 2)).prefix(body.rows).enumerated() {
        buffer.draw(
          line, at: Position(column: body.left + 1, row: body.top + row),
          width: body.columns - 2, role: fault == nil ? .text : .error)
      }
      return
    }
    let placements = result.placements(available: body.columns)
    let header = Rectangle(column: body.left, row: body.top - 1, columns: body.columns, rows: 1)
    buffer.draw("", at: header.origin, width: header.columns, role: .columnHeader)
    for placement in placements {
      let place = Position(column: body.left + placement.offset, row: header.top)
      buffer.draw(
        result.columns[placement.index].name, at: place, width: placement.width,
        role: .columnHeader)
      if placement.index == result.column, part == .result {
        buffer.highlight(
          Rectangle(column: place.column, row: place.row, columns: placement.width, rows: 1),
          as: .selection)
      }
    }
    let visible = result.scroll.visible(count: result.count, height: body.rows)
    for (offset, row) in visible.enumerated() {
      guard let cells = result.cells(of: row) else { continue }
      for placement in placements {
        var cell = cells[placement.index]
        if cell.kind == .null { cell.text = marks.null }
        if cell.kind == .emptyText { cell.text = marks.emptyText }
        buffer.draw(
          cell.text,
          at: Position(column: body.left + placement.offset, row: body.top + offset),
          width: placement.width, role: cell.role,
          alignment: cell.isTrailing ? .trailing : .leading)
      }
      if row == result.scroll.cursor {
        buffer.highlight(
          Rectangle(column: body.left, row: body.top + offset, columns: body.columns, rows: 1),
          as: part == .result ? .selection : .selectionInactive)
      }
    }
    if result.count == 0, !isRunning {
      buffer.draw(
        "There are no rows.", at: body.origin, width: body.columns, role: .dim, alignment: .centre)
    }
    Scrollbar(count: result.count, visible: visible).draw(
      into: &buffer,
      in: Rectangle(
        column: layout.result.right - 1, row: body.top, columns: 1, rows: body.rows))
  }
}

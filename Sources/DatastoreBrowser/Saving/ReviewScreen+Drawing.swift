import DatastoreCore
import TerminalUI

extension ReviewScreen {
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: buffer.size)
    let marks = Marks(buffer.glyphs)
    buffer.fill(area)
    let count = objects.map { CountText.counted($0.count, "object") } ?? "reading…"
    let body = Box(title: "Unsaved changes", note: count, isFocused: true)
      .draw(into: &buffer, in: area).inset(horizontal: 1)
    guard let objects else { return nil }
    if objects.isEmpty {
      buffer.draw("There are none.", at: body.origin, width: body.columns, role: .dim)
      return nil
    }
    drawLines(into: &buffer, in: state) { index, buffer, line in
      switch lines[index] {
      case .object(let object): draw(objects[object], into: &buffer, in: line)
      case .change(let object, let change):
        draw(objects[object].changes[change], marks, into: &buffer, in: line)
      }
    }
    return nil
  }

  private func draw(
    _ object: ReviewedObject, into buffer: inout ScreenBuffer, in line: Rectangle
  ) {
    let mark = object.mark
    let used = buffer.draw(mark.sign + " ", at: line.origin, role: mark.role)
    let what =
      switch mark.kind {
      case .inserted: " (new)"
      case .updated: mark.isRowGone ? " (deleted by someone else, or a different row now)" : ""
      case .deleted: " (to be deleted)"
      }
    buffer.draw(
      object.title + what, at: Position(column: line.left + used, row: line.top),
      width: line.columns - used, role: .heading)
  }

  private func draw(
    _ change: ReviewedObject.Change, _ marks: Marks, into buffer: inout ScreenBuffer,
    in line: Rectangle
  ) {
    let name = min(20, line.columns / 4)
    let value = (line.columns - name - 9) / 2
    var column = line.left + 4
    buffer.draw(change.property, at: Position(column: column, row: line.top), width: name)
    column += name + 1
    let old = change.old.shown(marks)
    let used = buffer.draw(
      old.text, at: Position(column: column, row: line.top), width: value, role: old.role)
    if let theirs = change.theirs?.shown(marks).text {
      buffer.draw(
        " ! now \(theirs)", at: Position(column: column + used, row: line.top),
        width: value - used, role: .error)
    }
    column += value + 1
    buffer.draw(marks.leadsTo, at: Position(column: column, row: line.top), role: .dim)
    column += 3
    let new = change.new.shown(marks)
    buffer.draw(
      new.text, at: Position(column: column, row: line.top),
      width: max(0, line.right - column), role: change.new.kind == .value ? .changed : new.role)
  }
}

import Basics
import DatastoreCore
import TerminalUI

extension EntityListState {
  /// Draws the list and marks the entity of the table.
  func draw(
    into buffer: inout ScreenBuffer, _ layout: ScreenLayout, title: String, shown: EntityIndex?,
    isFocused: Bool
  ) {
    let area = layout.entities
    guard !area.isEmpty else { return }
    let marks = Marks(buffer.glyphs)
    let body = layout.drawFrame(
      Box(
        title: title, note: note,
        isFocused: isFocused), into: &buffer, in: area)
    guard !names.isEmpty else {
      buffer.draw("no tables", in: body, role: .dim, alignment: .centre)
      return
    }
    let visible = scroll.visible(count: self.shown.count, height: body.rows)
    for (row, entity) in self.shown[visible].enumerated() {
      let line = body.row(row)
      draw(entity, into: &buffer, in: line, marks: marks, isShown: entity == shown)
      if entity == cursor {
        buffer.highlight(line, as: isFocused ? .selection : .selectionInactive)
      }
    }
    Scrollbar(count: self.shown.count, visible: visible).draw(
      into: &buffer, beside: body, column: area.right - 1)
  }

  /// The number of hidden entities, after the key that shows them, or else the place of the cursor.
  private var note: String {
    if names.isEmpty { return "" }
    let hidden = names.count - shown.count
    return hidden > 0 ? "+ \(hidden) hidden" : "\(scroll.cursor + 1) of \(shown.count)"
  }

  private func draw(
    _ entity: EntityIndex, into buffer: inout ScreenBuffer, in line: Rectangle, marks: Marks,
    isShown: Bool
  ) {
    let (count, role): (String, StyleRole) =
      switch counts[entity] {
      case .unknown: (marks.unread, .dim)
      case .estimated(let number): ("~\(CountText.grouped(number))", .dim)
      case .known(let number): (CountText.grouped(number), .number)
      case .failed: ("unreadable", .error)
      }
    let countWidth = min(count.displayWidth(), max(0, line.columns - 4))
    let (left, right) = line.split(right: countWidth)
    buffer.draw(
      names[entity], at: left.origin, width: max(0, left.columns - 1),
      role: isShown ? .heading : isReadOnly[entity] ? .dim : .text, truncation: .middle)
    drawKind(of: entity, into: &buffer, in: left)
    buffer.draw(count, in: right, role: role, alignment: .trailing)
  }

  /// Draws the kind of a table that only servers have after its name, if there is room.
  private func drawKind(of entity: EntityIndex, into buffer: inout ScreenBuffer, in left: Rectangle)
  {
    guard let word = kindWord(of: entity) else { return }
    let start = names[entity].displayWidth() + 1
    guard start + word.displayWidth() < left.columns else { return }
    buffer.draw(
      word, at: Position(column: left.left + start, row: left.top), width: word.displayWidth(),
      role: .dim)
  }
}

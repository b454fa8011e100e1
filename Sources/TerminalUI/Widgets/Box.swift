/// A bordered panel with a title. The one with the focus has a heavy border, so that it is
/// known without colour.
package struct Box: Hashable, Sendable {
  /// Shown in the upper border; empty for none.
  package var title: String
  /// Which part of a title that is too long gives way.
  package var titleTruncation: Truncation
  /// Shown at the right end of the upper border; empty for none. The title gives way to it.
  package var trailingTitle: String
  /// Shown at the right end of the lower border, such as a row count; empty for none.
  package var note: String
  /// Whether keys go to this panel.
  package var isFocused: Bool

  /// Makes a panel's border.
  package init(
    title: String = "", trailingTitle: String = "", note: String = "", isFocused: Bool = false,
    titleTruncation: Truncation = .tail
  ) {
    self.titleTruncation = titleTruncation
    self.title = title
    self.trailingTitle = trailingTitle
    self.note = note
    self.isFocused = isFocused
  }

  /// Draws the border and returns the room inside it.
  @discardableResult
  package func draw(into buffer: inout ScreenBuffer, in area: Rectangle) -> Rectangle {
    buffer.drawOutline(
      of: area, role: isFocused ? .focusedBorder : .border, weight: isFocused ? .heavy : .light)
    let trailing = drawLabel(
      trailingTitle, into: &buffer, row: area.top, in: area, role: .dim, atEnd: true)
    let (titled, _) = area.split(right: trailing)
    drawLabel(
      title, into: &buffer, row: area.top, in: titled, role: isFocused ? .title : .dim,
      atEnd: false, truncation: titleTruncation)
    drawLabel(note, into: &buffer, row: area.bottom - 1, in: area, role: .dim, atEnd: true)
    return area.inset(horizontal: 1, vertical: 1)
  }

  /// Draws a text into the border and returns the cells that it takes with the line around it.
  @discardableResult
  private func drawLabel(
    _ label: String, into buffer: inout ScreenBuffer, row: Int, in area: Rectangle,
    role: StyleRole, atEnd: Bool, truncation: Truncation = .tail
  ) -> Int {
    let room = area.columns - 6
    guard room > 0, area.rows >= 2, !label.isEmpty else { return 0 }
    let width = min(room, label.displayWidth(upTo: room))
    let column = atEnd ? area.right - 4 - width : area.left + 2
    buffer.draw(" ", at: Position(column: column, row: row), width: width + 2, role: role)
    buffer.draw(
      label, at: Position(column: column + 1, row: row), width: width, role: role,
      truncation: truncation)
    return width + 3
  }
}

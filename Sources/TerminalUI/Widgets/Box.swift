/// A bordered panel with a title. The panel with the focus has a heavy border, so that it stands out without
/// colour.
package struct Box: Hashable, Sendable {
  /// The text in the upper border; empty for none.
  package var title: String
  /// The part of the title that gives way if it is too long.
  package var titleTruncation: Truncation
  /// The text at the right end of the upper border; empty for none. The title gives way to it.
  package var trailingTitle: String
  /// The text at the right end of the lower border, such as a row count; empty for none.
  package var note: String
  /// Whether the panel receives the keys.
  package var isFocused: Bool

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

  /// Draws the panel, with the focus, over what is there, and returns the room inside its border.
  @discardableResult
  package func cover(_ buffer: inout ScreenBuffer, in area: Rectangle) -> Rectangle {
    var panel = self
    panel.isFocused = true
    buffer.fill(area)
    return panel.draw(into: &buffer, in: area)
  }

  /// Draws a text into the border and returns the number of cells that it takes, including the line around
  /// it.
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

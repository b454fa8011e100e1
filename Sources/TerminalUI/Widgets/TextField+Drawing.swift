extension TextField {
  /// Draws the field in one row and returns the position of the terminal's cursor.
  ///
  /// The text scrolls sideways so that the cursor is always visible; an empty field shows the placeholder.
  /// Returns nil if there is no room.
  package mutating func draw(
    into buffer: inout ScreenBuffer, at position: Position, width: Int,
    placeholder: String = "", role: StyleRole = .input
  ) -> Position? {
    guard width > 0 else { return nil }
    if text.isEmpty {
      scroll = 0
      buffer.draw(
        placeholder, at: position, width: width,
        role: placeholder.isEmpty ? role : .placeholder)
      return position
    }
    let before = beforeCursor.displayWidth()
    // The cursor may be after the last character, and needs a cell there.
    let whole = before + afterCursor.displayWidth(upTo: width) + 1
    scroll = min(max(scroll, before - width + 1), before)
    scroll = max(0, min(scroll, whole - width))
    let visible = Self.skipping(scroll, in: text)
    buffer.draw("", at: position, width: width, role: role)
    buffer.draw(
      visible.text, at: Position(column: position.column + visible.gap, row: position.row),
      width: width - visible.gap, role: role, truncation: .clip)
    if isAllSelected {
      let shown = min(width, before - scroll)
      buffer.highlight(
        Rectangle(column: position.column, row: position.row, columns: shown, rows: 1),
        as: .selection)
    }
    return Position(column: position.column + before - scroll, row: position.row)
  }

  /// Draws the field in the first row of an area and returns the position of the terminal's cursor.
  package mutating func draw(
    into buffer: inout ScreenBuffer, in area: Rectangle, placeholder: String = ""
  ) -> Position? {
    draw(into: &buffer, at: area.origin, width: area.columns, placeholder: placeholder)
  }

  /// Draws the field after its question in a line of its own and returns the position of the terminal's
  /// cursor. Does not keep the sideways scroll position.
  package func drawLine(
    into buffer: inout ScreenBuffer, in line: Rectangle, asking question: String,
    placeholder: String = ""
  ) -> Position? {
    buffer.draw("", in: line)
    let used = buffer.draw(question, at: line.origin, role: .key)
    var field = self
    return field.draw(
      into: &buffer, in: line.split(left: used).rest, placeholder: placeholder)
  }

  /// Marks a part of the text as faulty: one cell, if it is empty.
  ///
  /// - Parameter line: the row that the field was drawn in.
  package func markFault(
    at offset: Int, length: Int, into buffer: inout ScreenBuffer, in line: Rectangle
  ) {
    let before = text.prefix(offset).displayWidth() - scroll
    let marked = text.dropFirst(offset).prefix(length).displayWidth()
    let place = Rectangle(
      column: line.left + before, row: line.top, columns: max(1, marked), rows: 1)
    buffer.restyle(place.intersection(line), role: .error)
  }

  /// The rest of a text after this many cells, and the number of cells left of a wide character that the cut
  /// halves.
  private static func skipping(_ columns: Int, in text: String) -> (text: Substring, gap: Int) {
    var rest = Substring(text)
    var used = 0
    while used < columns, let character = rest.popFirst() {
      used += String(character).displayWidth()
    }
    return (rest, max(0, used - columns))
  }
}

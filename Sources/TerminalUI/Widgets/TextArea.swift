import Basics

/// Several lines of editable text: a `TextField` whose cursor also moves up and down.
package struct TextArea: Hashable, Sendable {
  package private(set) var field: TextField

  package init(text: String = "") {
    field = TextField(text: Self.plain(text))
  }

  package var text: String { field.text }

  /// The lines, at least one.
  package var lines: [Substring] {
    field.text.lines()
  }

  /// The line of the cursor, and the number of characters left of it.
  package var place: (line: Int, column: Int) {
    let before = field.beforeCursor
    let column = before.reversed().prefix { $0 != "\n" }.count
    return (before.count { $0 == "\n" }, column)
  }

  /// Replaces the text; the cursor goes to the end, or to the given character.
  package mutating func setText(_ text: String, cursor: Int? = nil) {
    field.setText(Self.plain(text), cursor: cursor)
  }

  package mutating func insert(_ text: some StringProtocol) {
    field.insert(Self.plain(text))
  }

  /// The text with LF line ends.
  private static func plain(_ text: some StringProtocol) -> String {
    let text = String(text)
    return text.has("\r") ? text.lines().joined(separator: "\n") : text
  }

  /// Handles an editing key; false if the key does not edit.
  package mutating func handle(_ key: Key) -> Bool {
    let (line, column) = place
    switch key {
    case "up" where line > 0: move(to: line - 1, column)
    case "down" where line < lines.count - 1: move(to: line + 1, column)
    case "home", "ctrl-a": move(to: line, 0)
    case "end", "ctrl-e": move(to: line, .max)
    case "up", "down": return false
    default: return field.handle(key)
    }
    return true
  }

  /// Puts the cursor on a line, in the given column or at the end of a shorter line.
  private mutating func move(to line: Int, _ column: Int) {
    let lines = lines
    let before = lines[..<line].reduce(0) { $0 + $1.count + 1 }
    field.setText(field.text, cursor: before + min(column, lines[line].count))
  }

  /// Draws the lines and returns the position of the terminal's cursor. The view follows the cursor.
  package func draw(
    into buffer: inout ScreenBuffer, in area: Rectangle, placeholder: String = ""
  ) -> Position? {
    guard area.rows > 0, area.columns > 1 else { return nil }
    let lines = lines
    let (line, column) = place
    let first = max(0, line - area.rows + 1)
    var cursor: Position?
    for row in 0..<area.rows {
      let position = Position(column: area.left, row: area.top + row)
      guard first + row < lines.count else {
        buffer.draw("", at: position, width: area.columns, role: .input)
        continue
      }
      var shown = TextField(text: String(lines[first + row]))
      let isCurrent = first + row == line
      shown.setText(shown.text, cursor: isCurrent ? column : 0)
      let end = shown.draw(
        into: &buffer, at: position, width: area.columns,
        placeholder: field.text.isEmpty ? placeholder : "")
      if isCurrent { cursor = end }
    }
    return cursor
  }
}

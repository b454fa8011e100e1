import Basics
import TerminalUI

/// A form that asks a person for texts, with one field below the other.
struct Form {
  /// The result of handling a key.
  enum Outcome {
    case goesOn
    case answered([String])
    case cancelled
  }

  private let title: String
  private let labels: [String]
  private var fields: [TextField]
  private var current = 0

  init(title: String, _ fields: KeyValuePairs<String, String>) {
    self.title = title
    labels = fields.map(\.key)
    self.fields = fields.map { TextField(text: $0.value) }
  }

  var hints: [Footer.Hint] {
    let isLast = current >= fields.count - 1
    return [Footer.Hint(key: "enter", label: isLast ? "done" : "next")]
      + (isLast ? [] : [Footer.Hint(key: "ctrl-s", label: "done")])
      + [Footer.Hint(key: "esc", label: "cancel")]
  }

  mutating func handle(_ key: Key) -> Outcome {
    switch key {
    case "esc", "ctrl-c": return .cancelled
    case "enter" where current >= fields.count - 1, "ctrl-s":
      return .answered(fields.map(\.text))
    case "enter", "tab", "down": current = (current + 1) % max(1, fields.count)
    case "shift-tab", "up": current = (current + fields.count - 1) % max(1, fields.count)
    default:
      if fields.indices.contains(current) { _ = fields[current].handle(key) }
    }
    return .goesOn
  }

  /// Inserts pasted text, with a blank in place of each line end.
  mutating func insert(_ text: String) {
    guard fields.indices.contains(current) else { return }
    fields[current].insert(text.lines().joined(separator: " "))
  }

  /// Draws the form in the middle of the area and returns the position of the terminal's cursor.
  mutating func draw(into buffer: inout ScreenBuffer, in area: Rectangle) -> Position? {
    let hasBorder = area.columns >= 28 && area.rows >= fields.count + 2
    let wanted = Size(columns: min(60, area.columns), rows: fields.count + (hasBorder ? 2 : 0))
    let box = hasBorder ? area.centred(wanted) : area
    buffer.fill(box)
    var inside = box
    if hasBorder {
      inside = Box(title: title, isFocused: true).draw(into: &buffer, in: box)
    }
    let limit = inside.columns / 2
    let width = labels.reduce(0) { max($0, $1.displayWidth(upTo: limit)) }
    // If the area has fewer rows than fields, the current field is among the visible ones.
    let first = max(0, current - inside.rows + 1)
    var cursor: Position?
    for (row, index) in (first..<min(fields.count, first + inside.rows)).enumerated() {
      let place = Position(column: inside.left, row: inside.top + row)
      buffer.draw(labels[index], at: place, width: min(width, limit), role: .dim)
      let end = fields[index].draw(
        into: &buffer, at: Position(column: place.column + min(width, limit) + 1, row: place.row),
        width: inside.columns - min(width, limit) - 1)
      if index == current { cursor = end }
    }
    return cursor
  }
}

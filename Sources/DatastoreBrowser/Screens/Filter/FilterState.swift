import DatastoreCore
import TerminalUI

/// The line in which a filter is typed.
struct FilterState: Overlay {
  var scope: CommandScope { .filter }
  var field: TextField
  /// What is wrong with the text, and where: characters from its start.
  private(set) var fault: Fault?

  struct Fault: Hashable, Sendable {
    var message: String
    var offset: Int
    var length: Int
  }

  init(text: String) {
    field = TextField(text: text)
  }

  /// Applies an editing key; the fault is forgotten, since it may be another now.
  mutating func press(_ key: Key, in state: inout BrowserState) -> [Effect] {
    if field.handle(key) { fault = nil }
    return []
  }

  mutating func paste(_ text: String, in state: inout BrowserState) -> [Effect] {
    field.insert(text)
    fault = nil
    return []
  }

  /// The condition that the text says, nil for none; or nothing, and the fault is marked.
  mutating func parse(entity: Entity, in schema: Schema) -> Predicate?? {
    let text = field.text
    guard text.contains(where: { !$0.isWhitespace }) else { return .some(nil) }
    do {
      return .some(try Predicate.parse(text, entity: entity, in: schema))
    } catch {
      fault = Fault(message: error.message, offset: error.offset, length: error.length)
      return nil
    }
  }

  /// Draws the line and what is wrong with it; returns where the terminal's cursor belongs.
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let layout = state.layout
    let (line, below) = (layout.status, layout.footer)
    let prompt = "Show \(state.entity?.name ?? "") where "
    buffer.draw("", at: line.origin, width: line.columns)
    let used = buffer.draw(prompt, at: line.origin, role: .key)
    let start = Position(column: line.left + used, row: line.top)
    // Drawing scrolls the field; the state between two drawings is what the keys left.
    var field = field
    let cursor = field.draw(
      into: &buffer, at: start, width: max(0, line.columns - used),
      placeholder: "a condition, such as  name CONTAINS[c] \"an\" AND age >= 30")
    if let fault {
      let before = field.text.prefix(fault.offset).displayWidth() - field.scroll
      let marked = field.text.dropFirst(fault.offset).prefix(fault.length).displayWidth()
      let place = Rectangle(
        column: start.column + before, row: start.row, columns: max(1, marked), rows: 1)
      buffer.restyle(place.intersection(line), role: .error)
      buffer.draw(fault.message, at: below.origin, width: below.columns, role: .error)
    }
    return cursor
  }
}

import TerminalUI

/// A line for the path of the file that is to be imported, with completion by Tab.
struct ImportPrompt: Overlay {
  var scope: CommandScope { .importPrompt }
  private(set) var field = TextField()
  /// What is wrong, or the names that would complete the path.
  private(set) var note: (text: String, role: StyleRole)?

  mutating func press(_ key: Key, in state: inout BrowserState) -> [Effect] {
    if field.handle(key) { note = nil }
    return []
  }

  mutating func paste(_ text: String, in state: inout BrowserState) -> [Effect] {
    field.insert(text)
    note = nil
    return []
  }

  /// Takes the completion of the path, if it has not been changed since it was asked for.
  mutating func take(_ completion: PathCompletion, of path: String) {
    guard path == field.text else { return }
    field.setText(completion.path)
    note = completion.names.count > 1 ? (completion.names.joined(separator: "  "), .dim) : nil
  }

  /// Goes on to the settings of the file.
  mutating func accept(in state: inout BrowserState) -> [Effect] {
    let path = field.text
    if path.isEmpty {
      note = ("Type the path of a CSV, TSV, JSON or JSON Lines file.", .error)
      return []
    }
    state.closeOverlay()
    return state.openImport(path)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let line = state.layout.status
    buffer.draw("", at: line.origin, width: line.columns)
    let used = buffer.draw(" Import file: ", at: line.origin, role: .key)
    var field = field
    let cursor = field.draw(
      into: &buffer, at: Position(column: line.left + used, row: line.top),
      width: max(0, line.columns - used), placeholder: "a path; Tab completes it")
    if let note {
      let below = state.layout.footer
      buffer.draw(" " + note.text, at: below.origin, width: below.columns, role: note.role)
    }
    return cursor
  }
}

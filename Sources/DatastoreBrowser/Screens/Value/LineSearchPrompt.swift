import TerminalUI

/// The line in which a text is typed that is searched for in a whole value.
struct ValueSearchPrompt: Overlay {
  var scope: CommandScope { .valueSearch }
  var field = TextField()

  mutating func press(_ key: Key, in state: inout BrowserState) -> [Effect] {
    let before = field.text
    if field.handle(key), field.text != before { search(&state) }
    return []
  }

  mutating func paste(_ text: String, in state: inout BrowserState) -> [Effect] {
    field.insert(text)
    search(&state)
    return []
  }

  private func search(_ state: inout BrowserState) {
    let (text, size) = (field.text, state.size)
    state.changeOverlay(as: ValueScreen.self) {
      $0.find(text, forward: true, includingStart: true, size: size)
    }
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let line = state.layout.status
    buffer.draw("", at: line.origin, width: line.columns)
    let used = buffer.draw("Search in the value: ", at: line.origin, role: .key)
    var field = field
    let cursor = field.draw(
      into: &buffer, at: Position(column: line.left + used, row: line.top),
      width: max(0, line.columns - used))
    let message = state.overlays.lazy.compactMap { $0 as? ValueScreen }.last?.message ?? ""
    if !message.isEmpty {
      let below = state.layout.footer
      buffer.draw(message, at: below.origin, width: below.columns, role: .warning)
    }
    return cursor
  }
}

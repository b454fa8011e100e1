import TerminalUI

/// The keys that may follow those that were pressed, each with what it does.
struct KeyHints: Overlay {
  var scope: CommandScope { .keyHints }
  private let typed: KeySequence
  /// Where the keys were pressed.
  private let place: CommandScope

  init(_ typed: KeySequence, in place: CommandScope) {
    self.typed = typed
    self.place = place
  }

  mutating func press(_ key: Key, in state: inout BrowserState) -> [Effect] {
    state.closeOverlay()
    return state.act(on: typed + key)
  }

  /// The lines at the foot of the screen, above the status.
  private func area(_ count: Int, in size: Size) -> Rectangle {
    let main = Rectangle.aboveStatus(size)
    return main.split(bottom: min(count + 2, main.rows)).bottom
  }

  mutating func click(
    at position: Position, clicks: Int, in state: inout BrowserState
  ) -> [Effect] {
    let next = state.keymap.continuations(of: typed, in: place)
    let area = area(next.count, in: state.size)
    let line = position.row - area.top - 1
    state.closeOverlay()
    guard area.contains(position), next.indices.contains(line) else { return [] }
    state.session.note(.command(next[line].command.name))
    return state.perform(next[line].command)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let next = state.keymap.continuations(of: typed, in: place)
    let area = area(next.count, in: buffer.size)
    buffer.fill(area)
    let inside = Box(title: "\(typed), then", note: "esc cancels", isFocused: true)
      .draw(into: &buffer, in: area).inset(horizontal: 1)
    let width = next.map { $0.keys.description.displayWidth() }.max() ?? 1
    for (row, (keys, command)) in next.prefix(inside.rows).enumerated() {
      let start = Position(column: inside.left, row: inside.top + row)
      buffer.draw(keys.description, at: start, width: width, role: .key, alignment: .trailing)
      buffer.draw(
        command.help, at: Position(column: start.column + width + 2, row: start.row),
        width: max(0, inside.columns - width - 2),
        role: command.reasonIfDisabled(state) == nil ? .text : .dim)
    }
    return nil
  }
}

extension CommandScope {
  static let keyHints = CommandScope("key-hints", title: "After the first of two keys")
}

extension CommandTable {
  /// What can be done between two keys.
  static let keyHintCommands: [Command] = [
    closing(
      "cancel-keys", "Cancel the keys that were pressed.", in: [.keyHints], label: "cancel",
      hintRank: 1)
  ]
}

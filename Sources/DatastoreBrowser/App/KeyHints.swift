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

  mutating func press(_ key: Key, in state: inout BrowserState) {
    state.closeOverlay()
    state.act(on: typed + key)
  }

  /// Where the keys are listed: at the foot of the screen, above the status, in as many columns as it takes to show
  /// all of them.
  private struct Grid {
    let area: Rectangle
    let rows: Int
    let columns: Int

    init(_ count: Int, in size: Size) {
      let main = Rectangle.aboveStatus(size)
      let most = max(1, main.rows - 2)
      // On a screen that is too small some are out of sight rather than all unreadable.
      columns = max(1, min((count + most - 1) / most, max(1, size.columns / 30)))
      rows = min(most, (count + columns - 1) / columns)
      area = main.split(bottom: min(rows + 2, main.rows)).bottom
    }

    /// The cells inside the border that a column has.
    var columnWidth: Int { max(0, area.columns - 2) / columns }

    /// The entry at a place; nil for the border.
    func index(at position: Position) -> Int? {
      let (row, column) = (position.row - area.top - 1, position.column - area.left - 1)
      guard (0..<rows).contains(row), column >= 0, columnWidth > 0 else { return nil }
      return min(column / columnWidth, columns - 1) * rows + row
    }
  }

  mutating func click(at position: Position, clicks: Int, in state: inout BrowserState) {
    let next = state.keymap.continuations(of: typed, in: place)
    let grid = Grid(next.count, in: state.size)
    state.closeOverlay()
    guard grid.area.contains(position), let index = grid.index(at: position),
      next.indices.contains(index)
    else { return }
    state.session.note(.command(next[index].command.name))
    state.perform(next[index].command)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let next = state.keymap.continuations(of: typed, in: place)
    let grid = Grid(next.count, in: buffer.size)
    buffer.fill(grid.area)
    let inside = Box(title: "\(typed), then", note: "esc cancels", isFocused: true)
      .draw(into: &buffer, in: grid.area)
    let width = next.map { $0.keys.description.displayWidth() }.max() ?? 1
    for (index, (keys, command)) in next.prefix(grid.rows * grid.columns).enumerated() {
      let start = Position(
        column: inside.left + index / grid.rows * grid.columnWidth + 1,
        row: inside.top + index % grid.rows)
      buffer.draw(keys.description, at: start, width: width, role: .key, alignment: .trailing)
      buffer.draw(
        command.title, at: Position(column: start.column + width + 2, row: start.row),
        width: max(0, grid.columnWidth - width - 4),
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
    Command(
      "cancel-keys", keys: ["esc", "ctrl-c"], label: "cancel",
      help: "Cancel the keys that were pressed.", in: [.keyHints], hintRank: 1
    ) { $0.closeOverlay() }
  ]
}

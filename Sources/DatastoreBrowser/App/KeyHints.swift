import TerminalUI

/// A list of the keys that may follow the pressed ones, each with its command.
struct KeyHints: Overlay {
  static let scope = CommandScope("key-hints", title: "After the first of two keys")
  private let typed: KeySequence
  /// The scope in which the keys were pressed.
  private let place: CommandScope

  init(_ typed: KeySequence, in place: CommandScope) {
    self.typed = typed
    self.place = place
  }

  mutating func press(_ key: Key, in state: inout BrowserState) {
    state.closeOverlay()
    state.act(on: typed + key)
  }

  /// A line of the list.
  fileprivate enum Entry {
    case topic(String)
    case command(keys: KeySequence, Command)
    /// A blank at the end of a column, in place of a heading whose commands would be in the next one.
    case blank
  }

  /// The commands by topic, each topic with its heading.
  private func entries(in state: BrowserState) -> [Entry] {
    var left = state.keymap.continuations(of: typed, in: place)
    var entries: [Entry] = []
    func add(_ topic: String, _ isOfTopic: (Command) -> Bool) {
      let commands = left.filter { isOfTopic($0.command) }
      guard !commands.isEmpty else { return }
      left.removeAll { isOfTopic($0.command) }
      entries += [.topic(topic)] + commands.map { .command(keys: $0.keys, $0.command) }
    }
    for part in MenuPart.topics {
      let names = Set(part.commands)
      add(part.topic) { names.contains($0.name) }
    }
    add(entries.isEmpty ? "" : "Other") { _ in true }
    if case .topic("")? = entries.first { entries.removeFirst() }
    return entries
  }

  /// The layout of the list: at the end of the screen, above the status, in as many columns as show all keys.
  /// If there is room for one column, no title is cut.
  private struct Grid {
    let area: Rectangle
    let rows: Int
    let columnWidth: Int
    /// The entries column by column.
    let entries: [Entry]

    init(_ all: [Entry], in size: Size) {
      let main = Rectangle.aboveStatus(size)
      let most = max(1, main.rows - 2)
      let widest = all.map(\.width).max() ?? 1
      let fitting = max(1, (size.columns - 2) / (widest + 1))
      // On a screen that is too small, some entries are hidden rather than all unreadable.
      let columns = max(1, min((all.count + most - 1) / most, fitting))
      var rows = min(most, (all.count + columns - 1) / columns)
      var entries = Self.laidOut(all, rows: rows)
      while entries.count > rows * columns, rows < most {
        rows += 1
        entries = Self.laidOut(all, rows: rows)
      }
      (self.rows, self.entries) = (rows, entries)
      area = main.split(bottom: min(rows + 2, main.rows)).bottom
      columnWidth = max(1, (area.columns - 2) / columns)
    }

    private static func laidOut(_ entries: [Entry], rows: Int) -> [Entry] {
      entries.reduce(into: []) { laid, entry in
        if case .topic = entry, laid.count % rows == rows - 1 { laid.append(.blank) }
        laid.append(entry)
      }
    }

    /// The entry at a position; nil for the border.
    func index(at position: Position) -> Int? {
      let (row, column) = (position.row - area.top - 1, position.column - area.left - 1)
      guard (0..<rows).contains(row), column >= 0 else { return nil }
      return column / columnWidth * rows + row
    }
  }

  func click(at position: Position, clicks: Int, in state: inout BrowserState) {
    let grid = Grid(entries(in: state), in: state.size)
    state.closeOverlay()
    guard grid.area.contains(position), let index = grid.index(at: position),
      grid.entries.indices.contains(index), case .command(_, let command) = grid.entries[index]
    else { return }
    state.record(command)
    state.perform(command)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let grid = Grid(entries(in: state), in: buffer.size)
    let inside = Box(title: "\(typed), then", note: "esc cancels").cover(&buffer, in: grid.area)
    for (index, entry) in grid.entries.enumerated() {
      let start = Position(
        column: inside.left + index / grid.rows * grid.columnWidth,
        row: inside.top + index % grid.rows)
      let room = min(grid.columnWidth - 1, inside.right - start.column)
      guard room > 0 else { break }
      switch entry {
      case .blank: continue
      case .topic(let title): buffer.draw(title, at: start, width: room, role: .heading)
      case .command(let keys, let command):
        let used = buffer.draw(" \(keys)  ", at: start, width: room, role: .key)
        buffer.draw(
          command.title, at: Position(column: start.column + used, row: start.row),
          width: max(0, room - used),
          role: command.reasonIfDisabled(state) == nil ? .text : .dim)
      }
    }
    return nil
  }
}

extension KeyHints.Entry {
  /// The number of cells that the entry needs.
  fileprivate var width: Int {
    switch self {
    case .blank: 0
    case .topic(let title): title.displayWidth()
    case .command(let keys, let command):
      keys.description.displayWidth() + 3 + command.title.displayWidth()
    }
  }
}

extension CommandTable {
  /// The commands between two keys.
  static let keyHintCommands: [Command] = [
    Command(
      "cancel-keys", keys: ["esc", "ctrl-c"], label: "cancel",
      help: "Cancel the keys that were pressed.", in: [KeyHints.scope], hintRank: 1
    ) { $0.closeOverlay() }
  ]
}

import Foundation
import TerminalUI

/// The command palette: every command by name, found by a few characters of it.
struct PaletteState: Overlay {
  var scope: CommandScope { .palette }

  /// What had the focus when it was opened.
  let panel: CommandScope
  private(set) var list = PickList<String>(isSearchedByOwner: true)

  init(over panel: CommandScope, in state: BrowserState) {
    self.panel = panel
    list.notice = "No command has such a name."
    search(in: state)
  }

  /// The command under the cursor.
  var command: Command? { list.current.flatMap { CommandTable.named($0.id) } }

  /// What is typed behind the name of a command that takes something: `export people.csv`.
  var argument: String? { command(of: list.search.text)?.argument }

  private func command(of text: String) -> (command: Command, argument: String)? {
    guard let space = text.firstIndex(of: " "),
      let command = CommandTable.named(String(text[..<space])),
      command.performWithArgument != nil
    else { return nil }
    return (command, text[space...].trimmingCharacters(in: .whitespaces))
  }

  /// Where it is drawn: in the upper half, as wide as names and sentences need.
  static func area(in size: Size) -> Rectangle {
    let width = min(size.columns - 4, 84)
    return Rectangle(
      column: (size.columns - width) / 2, row: 1, columns: width, rows: min(size.rows - 4, 20))
  }

  private static func body(in size: Size) -> Rectangle {
    area(in: size).inset(horizontal: 2, vertical: 1).split(bottom: 2).rest
  }

  private static func height(in size: Size) -> Int {
    PickList<String>.height(in: body(in: size))
  }

  /// The commands that the search fits, best first. Those of the focused panel come before the
  /// others, in the order of the help.
  private mutating func search(in state: BrowserState) {
    let query = command(of: list.search.text)?.command.name ?? list.search.text
    let found = CommandTable.all.enumerated().compactMap {
      index, command -> (score: Int, index: Int, command: Command)? in
      guard !command.scopes.isDisjoint(with: CommandScope.panels.union([.everywhere])),
        let score = [
          FuzzyMatch.score(query, in: command.name).map { $0 + 6 },
          FuzzyMatch.score(query, in: command.label),
          query.count > 2 ? FuzzyMatch.score(query, in: command.help).map { $0 / 2 } : nil,
        ].compactMap({ $0 }).max()
      else { return nil }
      return (score + (command.scopes.contains(panel) ? 4 : 0), index, command)
    }
    let sorted = found.sorted { ($1.score, $0.index) < ($0.score, $1.index) }
    list.setItems(
      sorted.map { entry in
        let keys = state.keymap.keys(of: entry.command).map(\.description)
        return PickList.Item(
          entry.command.name, text: entry.command.name, note: keys.joined(separator: " "),
          role: entry.command.reasonDisabled(state) == nil ? .text : .dim)
      })
  }

  mutating func press(_ key: Key, in state: inout BrowserState) -> [Effect] {
    if list.handle(key) { search(in: state) }
    return []
  }

  mutating func paste(_ text: String, in state: inout BrowserState) -> [Effect] {
    list.insert(text)
    search(in: state)
    return []
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) -> [Effect] {
    let height = Self.height(in: state.size)
    list.move(by: movement.rows(height: height), height: height)
    return []
  }

  mutating func wheel(
    _ lines: Int, at position: Position, in state: inout BrowserState
  ) -> [Effect] {
    list.move(by: lines, height: Self.height(in: state.size))
    return []
  }

  mutating func click(
    at position: Position, clicks: Int, in state: inout BrowserState
  ) -> [Effect] {
    guard Self.area(in: state.size).contains(position) else {
      state.closeOverlay()
      return []
    }
    let row = position.row - Self.body(in: state.size).top - 1
    guard list.click(row: row, height: Self.height(in: state.size)), clicks == 2 else { return [] }
    return state.performFromPalette(command, over: panel, argument: argument)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: buffer.size)
    buffer.fill(area)
    Box(title: "Commands", note: "enter does it, esc closes", isFocused: true)
      .draw(into: &buffer, in: area)
    let cursor = list.draw(into: &buffer, in: Self.body(in: buffer.size))
    let foot = area.inset(horizontal: 2, vertical: 1).split(bottom: 2).bottom
    if let command {
      let reason = command.reasonDisabled(state)
      for (row, line) in (reason ?? command.help).wrapped(to: foot.columns).prefix(2).enumerated() {
        buffer.draw(
          line, at: Position(column: foot.left, row: foot.top + row), width: foot.columns,
          role: reason == nil ? .dim : .warning)
      }
    }
    return cursor
  }
}

extension BrowserState {
  /// Does what the palette's cursor is on, in the panel that it is for.
  mutating func performFromPalette(
    _ command: Command?, over panel: CommandScope, argument: String? = nil
  ) -> [Effect] {
    guard let command else { return [] }
    closeOverlay()
    if overlays.isEmpty, !command.scopes.contains(panel) {
      for focus in [Focus.table, .detail, .entities]
      where command.scopes.contains(CommandScope(focus)) {
        if focus == .detail { showsDetail = true }
        self.focus = focus
        break
      }
    }
    guard let argument, !argument.isEmpty, let perform = command.performWithArgument,
      command.reasonDisabled(self) == nil
    else { return self.perform(command) }
    return perform(&self, argument)
  }
}

import TerminalUI

/// The command palette: every command by name, found by a few characters of it.
struct PaletteState: PickListOverlay, PathCompleting {
  var scope: CommandScope { .palette }

  /// What had the focus when it was opened.
  let panel: CommandScope
  var list = PickList<String>(isSearchedByOwner: true)
  /// Names that would complete a path.
  private var completions: String?

  private let commands: CommandTable

  init(over panel: CommandScope, in state: BrowserState) {
    self.panel = panel
    commands = state.keymap.commands
    list.notice = "No command matches."
    search(in: state)
  }

  /// The command under the cursor.
  var command: Command? { list.current.flatMap { commands.named($0.id) } }

  /// Where it is drawn: in the upper half, as wide as names and sentences need.
  func area(in size: Size) -> Rectangle {
    let box = size.box(columns: 84, rows: 20)
    return Rectangle(
      column: box.left, row: min(1, box.top), columns: box.columns, rows: box.rows)
  }

  /// The rows of the sentence about the command under the cursor, where the list leaves room for it.
  private static func footRows(in size: Size) -> Int { size.rows < 12 ? 0 : 2 }

  func body(in size: Size) -> Rectangle {
    area(in: size).inset(horizontal: 2, vertical: 1).split(bottom: Self.footRows(in: size)).rest
  }

  mutating func searchChanged(in state: BrowserState) {
    completions = nil
    search(in: state)
  }

  func pick(in state: inout BrowserState) -> [Effect] {
    state.performFromPalette(command, commandLine?.argument ?? "", over: panel)
  }

  /// The commands that the search fits, best first. Those of the focused panel come before the
  /// others, in the order of the help.
  private mutating func search(in state: BrowserState) {
    let query = list.search.text
    if let (command, _) = commandLine {
      return list.setFound([item(command, in: state)])
    }
    let found = commands.all.enumerated().compactMap {
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
    list.setFound(sorted.map { item($0.command, in: state) })
  }

  private func item(_ command: Command, in state: BrowserState) -> PickList<String>.Item {
    let keys = state.keymap.keys(of: command).map(\.description)
    return PickList.Item(
      command.name, text: command.name + (command.argument.map { " \($0.name)" } ?? ""),
      note: keys.joined(separator: " "),
      role: command.reasonIfDisabled(state) == nil ? .text : .dim)
  }

  /// A command by its whole name, and what follows it; nil as long as names are searched.
  var commandLine: (command: Command, argument: String)? {
    let text = list.search.text
    guard let space = text.firstIndex(of: " "),
      let command = commands.named(String(text[..<space])), command.argument != nil
    else { return nil }
    let argument = text[space...].drop { $0 == " " }
    return (command, String(argument.reversed().drop { $0 == " " }.reversed()))
  }

  /// Writes the whole name of the command under the cursor.
  mutating func completeName(in state: BrowserState) {
    guard let command else { return }
    list.setSearch(command.name + (command.argument == nil ? "" : " "))
    search(in: state)
  }

  /// Applies the completion of a path, if it has not been changed since it was asked for.
  mutating func apply(_ completion: PathCompletion, of path: String) {
    guard let (command, argument) = commandLine, argument == path else { return }
    list.setSearch("\(command.name) \(completion.path)")
    completions = completion.names.count > 1 ? completion.names.joined(separator: "  ") : nil
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = area(in: buffer.size)
    buffer.fill(area)
    Box(title: "Commands", note: "enter runs it, esc closes", isFocused: true)
      .draw(into: &buffer, in: area)
    let cursor = list.draw(into: &buffer, in: body(in: buffer.size))
    let foot = area.inset(horizontal: 2, vertical: 1)
      .split(bottom: Self.footRows(in: state.size)).bottom
    if let command {
      let reason = command.reasonIfDisabled(state)
      for (row, line) in (reason ?? completions ?? command.help).wrapped(to: foot.columns).prefix(2)
        .enumerated()
      {
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
    _ command: Command?, _ argument: String = "", over panel: CommandScope
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
    guard !argument.isEmpty, let taking = command.argument else { return perform(command) }
    if let reason = command.reasonIfDisabled(self) {
      message = Message(text: reason, severity: .warning)
      return []
    }
    return taking.perform(&self, argument)
  }
}

extension CommandScope {
  static let palette = CommandScope("palette", title: "In the list of commands")
}

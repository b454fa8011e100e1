import TerminalUI

/// The help: every command with its keys and a sentence, made from the command records.
struct HelpState: TextOverlay {
  var survivesNewTables: Bool { true }
  var scope: CommandScope { .help }
  /// A line of the help.
  enum Line: Hashable, Sendable {
    case heading(String)
    case command(keys: String, help: String)
    case blank
  }

  /// The panel whose commands come first.
  let panel: CommandScope
  private let keymap: Keymap
  var first = 0

  init(for panel: CommandScope, keymap: Keymap) {
    self.panel = panel
    self.keymap = keymap
  }

  /// Where the help is drawn.
  static func area(in size: Size) -> Rectangle {
    Rectangle(size).centred(
      Size(
        columns: size.box(columns: 96, rows: 1).columns, rows: size.rows - (size.rows < 16 ? 0 : 2))
    )
  }

  private static let keyWidth = 16

  /// All lines on a screen of that size: the panel's own commands, then those of the others.
  func lines(size: Size) -> [Line] {
    let room = max(1, Self.area(in: size).columns - 4 - Self.keyWidth - 2)
    var lines: [Line] = []
    var listed: Set<String> = []
    for scope in [panel] + keymap.commands.scopes.filter({ $0 != panel }) {
      let commands = keymap.commands.commands(in: scope).filter { listed.insert($0.name).inserted }
      guard !commands.isEmpty else { continue }
      if !lines.isEmpty { lines.append(.blank) }
      lines.append(.heading(scope.title))
      for command in commands {
        let keys = keymap.keys(of: command).map(\.description).joined(separator: " ")
        for (row, help) in command.help.wrapped(to: room).enumerated() {
          lines.append(.command(keys: row == 0 ? keys : "", help: help))
        }
      }
    }
    return lines
  }

  func lineCount(in size: Size) -> Int { lines(size: size).count }

  func body(in size: Size) -> Rectangle {
    Self.area(in: size).inset(horizontal: 2, vertical: 1)
  }

  mutating func click(
    at position: Position, clicks: Int, in state: inout BrowserState
  ) -> [Effect] {
    if !Self.area(in: state.size).contains(position) { state.closeOverlay() }
    return []
  }

  /// Draws the help over everything else.
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: buffer.size)
    let lines = lines(size: buffer.size)
    buffer.fill(area)
    Box(title: "Help", note: "esc closes", isFocused: true).draw(into: &buffer, in: area)
    let body = body(in: buffer.size)
    let visible = visible(in: buffer.size)
    for (row, index) in visible.enumerated() {
      let start = Position(column: body.left, row: body.top + row)
      switch lines[index] {
      case .blank: continue
      case .heading(let text):
        buffer.draw(text, at: start, width: body.columns, role: .heading)
      case .command(let keys, let help):
        buffer.draw(keys, at: start, width: Self.keyWidth, role: .key, alignment: .trailing)
        buffer.draw(
          help, at: Position(column: start.column + Self.keyWidth + 2, row: start.row),
          width: max(0, body.columns - Self.keyWidth - 2))
      }
    }
    Scrollbar(count: lines.count, visible: visible).draw(
      into: &buffer,
      in: Rectangle(column: area.right - 1, row: body.top, columns: 1, rows: body.rows))
    return nil
  }
}

extension CommandScope {
  static let help = CommandScope("help", title: "In this help", traits: [.scrolls])
}

import TerminalUI

/// The help: every command with its keys and a sentence, made from the command records.
struct HelpState: Overlay {
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
  /// The first visible line.
  private(set) var first = 0

  init(for panel: CommandScope, keymap: Keymap) {
    self.panel = panel
    self.keymap = keymap
  }

  /// Where the help is drawn.
  static func area(in size: Size) -> Rectangle {
    Rectangle(size).centred(Size(columns: min(size.columns - 4, 96), rows: size.rows - 2))
  }

  private static let keyWidth = 16

  /// All lines on a screen of that size: the panel's own commands, then those of the others.
  func lines(size: Size) -> [Line] {
    let room = max(1, Self.area(in: size).columns - 4 - Self.keyWidth - 2)
    var lines: [Line] = []
    var listed: Set<String> = []
    for scope in [panel] + CommandTable.scopes.filter({ $0 != panel }) {
      let commands = CommandTable.commands(in: scope).filter { listed.insert($0.name).inserted }
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

  /// Scrolls by a number of lines, as far as there are any.
  mutating func scroll(by rows: Int, size: Size) {
    let height = max(1, Self.area(in: size).rows - 2)
    let last = max(0, lines(size: size).count - height)
    let (sum, overflow) = first.addingReportingOverflow(rows)
    first = min(max(0, overflow ? (rows > 0 ? last : 0) : sum), last)
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) -> [Effect] {
    scroll(by: movement.rows(height: Self.area(in: state.size).rows - 2), size: state.size)
    return []
  }

  mutating func wheel(
    _ lines: Int, at position: Position, in state: inout BrowserState
  ) -> [Effect] {
    scroll(by: lines, size: state.size)
    return []
  }

  mutating func click(
    at position: Position, clicks: Int, in state: inout BrowserState
  ) -> [Effect] {
    if !Self.area(in: state.size).contains(position) { state.closeOverlay() }
    return []
  }

  mutating func resize(in state: BrowserState) {
    scroll(by: 0, size: state.size)
  }

  /// Draws the help over everything else.
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: buffer.size)
    let lines = lines(size: buffer.size)
    buffer.fill(area)
    let body = Box(title: "Help", note: "esc closes", isFocused: true)
      .draw(into: &buffer, in: area).inset(horizontal: 1)
    let visible = min(first, lines.count)..<min(lines.count, first + body.rows)
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

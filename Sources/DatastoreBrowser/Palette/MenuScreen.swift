import DatastoreCore
import TerminalUI

/// The commands for the cursor's position, by subject: short titles with their keys. A disabled command is
/// dim, and the line below has the reason.
struct MenuScreen: PickListOverlay {
  enum Line: Hashable, Sendable {
    case heading(String)
    /// A command, by its name.
    case command(String)
  }

  static let scope = CommandScope("menu", title: "In the menu", traits: .picks)
  /// The panel of the cursor.
  let panel: CommandScope
  var list: PickList<Line>
  private let commands: CommandTable

  /// - Parameter first: the subject whose first command has the cursor.
  init(over panel: CommandScope, first: MenuPart? = nil, in state: BrowserState) {
    self.panel = panel
    commands = state.keymap.commands
    let parts = MenuPart.parts(of: panel, in: state)
    list = PickList(
      parts.flatMap { part -> [PickList<Line>.Item] in
        let heading = part.title(in: state)
        return [PickList.Item(.heading(heading), text: heading, role: .heading)]
          + part.commands.compactMap { state.keymap.commands.named($0) }.map {
            Self.item($0, in: state)
          }
      })
    let part = first.flatMap { parts.contains($0) ? $0 : nil } ?? parts[0]
    list.select(.command(part.commands[0]))
  }

  private static func item(_ command: Command, in state: BrowserState) -> PickList<Line>.Item {
    PickList.Item(
      .command(command.name), text: "  " + command.title,
      note: state.keymap.names(of: command).first ?? "",
      role: command.reasonIfDisabled(state) == nil ? .text : .dim)
  }

  /// The command under the cursor; nil on a heading.
  var command: Command? {
    guard case .command(let name)? = list.current?.id else { return nil }
    return commands.named(name)
  }

  func area(in size: Size) -> Rectangle { size.box(columns: 60, rows: list.count + 5) }

  func body(in size: Size) -> Rectangle {
    area(in: size).inset(horizontal: 2, vertical: 1).split(bottom: Self.footRows).rest
  }

  private static let footRows = 2

  mutating func pick(in state: inout BrowserState) {
    guard let command else { return }
    if let reason = command.reasonIfDisabled(state) { return state.tell(reason, .warning) }
    state.performFromPalette(command, over: panel)
  }

  var title: String { "Menu" }
  var note: String { "enter does it, esc closes" }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let cursor = drawList(into: &buffer, in: state)
    let inside = area(in: state.size).inset(horizontal: 2, vertical: 1)
    command?.drawSentence(into: &buffer, in: inside.split(bottom: Self.footRows).bottom, state)
    return cursor
  }
}

extension BrowserState {
  /// Shows the commands for the cursor's position.
  ///
  /// - Parameter first: the subject whose first command has the cursor.
  mutating func openMenu(first: MenuPart? = nil) {
    open(MenuScreen(over: scope, first: first, in: self))
  }
}

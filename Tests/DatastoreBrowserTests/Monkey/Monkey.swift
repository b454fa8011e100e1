import DatastoreTestSupport
import TerminalUI

@testable import DatastoreBrowser

/// Draws the acts of a person without a plan: mostly keys that have a meaning in the current scope, so that
/// it reaches every screen, and now and then anything at all.
struct Monkey {
  /// One thing done.
  enum Act: CustomStringConvertible {
    /// Keys without waiting for their effects.
    case keys([Key])
    case paste(String)
    case mouse(MouseEvent)
    case resize(Size)

    var description: String {
      switch self {
      case .keys(let keys): keys.map(\.description).joined(separator: " ")
      case .paste(let text): "paste \(text.debugDescription)"
      case .mouse(let event): "\(event.action) at \(event.position)"
      case .resize(let size): "resize \(size)"
      }
    }
  }

  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// Texts that are typed and pasted: words of the interface, predicates, and texts that break columns.
  private static let texts = [
    "a", "Ann", "1", "-7.5", "1e308", "id", "name = 'Ann'", "age > 3 OR", "((((", "NULL", "quit",
    "\u{1B}[31mred\u{1B}[0m", "\u{202E}abc", "日本語", "👩‍👩‍👧", "e\u{301}\u{301}\u{301}", "\0", "\u{FFFD}",
    "a\nb\nc", "\t\t", "%@", "'", "\"", "\u{200B}", "2024-02-30", "x'00'", "🇩🇪",
    String(repeating: "long ", count: 60),
  ]

  private static let named: [Key.Base] = [
    .enter, .tab, .backspace, .escape, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown,
    .insert, .delete, .function(1), .function(5), .function(12),
  ]

  /// Draws the next act.
  mutating func next(in state: BrowserState) -> Act {
    // A random path would create a file that no test wants.
    if Self.asksForFile(state.scope) {
      return .keys([pick(["esc", "esc", "tab", "a", "backspace", "left", "ctrl-u"])])
    }
    // An argument of a command may be a path as well.
    if state.scope == PaletteState.scope {
      let keys: [Key] = ["esc", "enter", "down", "up", "backspace", "a", "s", "t", "r", "o", "c"]
      return .keys([pick(keys)])
    }
    switch random.below(1_000) {
    case 0..<560: return .keys(command(state.scope, state.keymap))
    case 560..<700:
      return .keys([pick(["down", "up", "right", "left", "pgdn", "pgup", "home", "end", "enter"])])
    case 700..<790: return .keys([character()])
    case 790..<840: return .keys([anyKey()])
    case 840..<870: return .keys(["esc"])
    case 870..<890: return .keys((0..<2 + random.below(6)).map { _ in character() })
    case 890..<905:
      return .keys((0..<2 + random.below(4)).flatMap { _ in command(state.scope, state.keymap) })
    case 905..<925: return palette()
    case 925..<940: return .paste(pick(Self.texts))
    case 940..<990: return .mouse(mouse(in: state.size))
    default: return .resize(size())
    }
  }

  /// Whether text typed here is the name of a file.
  static func asksForFile(_ scope: CommandScope) -> Bool {
    ["path", "export", "import", "file"].contains { scope.name.contains($0) }
  }

  private mutating func pick<Element>(_ items: [Element]) -> Element {
    items[random.below(items.count)]
  }

  private mutating func command(_ scope: CommandScope, _ keymap: Keymap) -> [Key] {
    let keys = CommandTable.standard.commands(in: scope).flatMap { keymap.keys(of: $0) }
    return keys.isEmpty ? [anyKey()] : pick(keys).keys
  }

  private mutating func character() -> Key {
    Key(
      .character(
        pick(
          Array(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !?'\"(=<>-+.,:;_*%/\\äß日👍"
          ))))
  }

  private mutating func anyKey() -> Key {
    let modifiers = KeyModifiers(rawValue: UInt8(random.below(8)))
    if random.below(2) == 0 { return Key(pick(Self.named), modifiers) }
    return Key(.character(pick(Array("abcdefghijklmnopqrstuvwxyz0123456789 @[]"))), modifiers)
  }

  /// Any command by its name, through the palette.
  private mutating func palette() -> Act {
    let commands = CommandTable.standard.all.filter { command in
      !["save-value", "load-value", "export", "import"].contains { command.name.contains($0) }
    }
    let name = pick(commands).name
    return .keys([":"] + name.map { Key(.character($0)) } + ["enter"])
  }

  private mutating func mouse(in size: Size) -> MouseEvent {
    let position = Position(
      column: random.below(max(1, size.columns)), row: random.below(max(1, size.rows)))
    let action: MouseEvent.Action =
      switch random.below(10) {
      case 0, 1: .wheelUp
      case 2, 3: .wheelDown
      case 4: .release(.left)
      case 5: .press(.left, clicks: 2)
      case 6: .press(pick([.middle, .right]), clicks: 1)
      default: .press(.left, clicks: 1)
      }
    return MouseEvent(
      action, at: position, modifiers: random.below(8) == 0 ? [.shift] : [])
  }

  /// Mostly sizes that leave room for content.
  private mutating func size() -> Size {
    // The time of drawing grows with the screen.
    switch random.below(40) {
    case 0..<4: Size(columns: 1 + random.below(79), rows: 1 + random.below(23))
    case 4, 5: Size(columns: 1, rows: 1)
    case 6: Size(columns: 300, rows: 80)
    case 7..<20: Size(columns: 80, rows: 24)
    default: Size(columns: 80 + random.below(60), rows: 24 + random.below(12))
    }
  }
}

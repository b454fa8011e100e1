import Basics
import TerminalUI

/// The help: every command with its keys and a sentence, made from the command records and grouped by topic;
/// typed words narrow it down.
struct HelpState: TextOverlay {
  var survivesNewTables: Bool { true }
  static let scope = CommandScope(
    "help", title: "In this help", traits: [.scrolls, .closes, .hasSections],
    labels: ["previous-section": "topic"], openedBy: "help")
  var scope: CommandScope { isSearching ? .helpSearch : Self.scope }
  enum Line: Hashable, Sendable {
    case heading(String)
    case command(keys: String, help: String)
    case blank
  }

  /// The panel whose topics come first.
  let panel: CommandScope
  private let keymap: Keymap
  /// The search text; empty to show everything.
  private(set) var search = TextField()
  private var isSearching = false
  var first = 0

  /// - Parameter word: the initial search text; empty for none.
  init(for panel: CommandScope, keymap: Keymap, about word: String = "") {
    self.panel = panel
    self.keymap = keymap
    search.setText(word)
  }

  mutating func beginSearch() { isSearching = true }

  mutating func endSearch() { isSearching = false }

  mutating func cancelSearch() {
    isSearching = false
    search = TextField()
    first = 0
  }

  func accept(_ state: inout BrowserState) {
    state.changeOverlay(as: Self.self) { $0.endSearch() }
  }

  func dismiss(_ state: inout BrowserState) {
    guard isSearching else { return state.closeOverlay() }
    state.changeOverlay(as: Self.self) { $0.cancelSearch() }
  }

  func moveSection(by step: Int, _ state: inout BrowserState) {
    let size = state.size
    state.changeOverlay(as: Self.self) { $0.moveTopic(by: step, size: size) }
  }

  mutating func press(_ key: Key, in state: inout BrowserState) {
    guard isSearching else {
      state.sayNothingHappens(KeySequence([key]))
      return
    }
    let before = search.text
    if search.handle(key), search.text != before { first = 0 }
  }

  mutating func paste(_ text: String, in state: inout BrowserState) {
    guard isSearching else { return }
    search.insert(text)
    first = 0
  }

  static func area(in size: Size) -> Rectangle {
    // The messages of keys stay visible below it.
    let screen = size.rows < 16 ? Rectangle(size) : .aboveStatus(size)
    return screen.centred(
      Size(columns: size.box(columns: 96, rows: 1).columns, rows: screen.rows))
  }

  private static let keyWidth = 16

  /// All lines on a screen of this size: the topics of the panel, then the others.
  func lines(size: Size) -> [Line] {
    let room = max(1, Self.area(in: size).columns - 4 - Self.keyWidth - 2)
    let words = search.text.lowercased().words()
    var lines: [Line] = []
    for topic in topics {
      let commands = topic.commands.filter { isFound($0, topic, words) }
      guard !commands.isEmpty else { continue }
      if !lines.isEmpty { lines.append(.blank) }
      lines.append(.heading(topic.title))
      for command in commands {
        let keys = keymap.names(of: command).joined(separator: " ")
        for (row, help) in command.help.wrapped(to: room).enumerated() {
          lines.append(.command(keys: row == 0 ? keys : "", help: help))
        }
      }
    }
    return lines
  }

  /// The topics with commands in the panel, then the others.
  private var topics: [CommandTable.Topic] {
    func isOfPanel(_ topic: CommandTable.Topic) -> Bool {
      topic.commands.contains { $0.scopes.contains(panel) }
    }
    let topics = keymap.commands.topics
    return topics.filter(isOfPanel) + topics.filter { !isOfPanel($0) }
  }

  private func isFound(
    _ command: Command, _ topic: CommandTable.Topic, _ words: [Substring]
  ) -> Bool {
    guard !words.isEmpty else { return true }
    let text =
      "\(command.name) \(command.title) \(command.synonyms) \(keymap.names(of: command)) \(command.help) \(topic.title)"
      .lowercased()
    return words.allSatisfy { text.contains($0) }
  }

  /// Scrolls to the heading of another topic.
  mutating func moveTopic(by step: Int, size: Size) {
    let lines = lines(size: size)
    let headings = lines.indices.filter { if case .heading = lines[$0] { true } else { false } }
    let target = step > 0 ? headings.first { $0 > first } : headings.last { $0 < first }
    if let target { scroll(by: target - first, size: size) }
  }

  func lineCount(in size: Size) -> Int { lines(size: size).count }

  func body(in size: Size) -> Rectangle {
    let inside = Self.area(in: size).inset(horizontal: 2, vertical: 1)
    return isSearching || !search.text.isEmpty ? inside.split(top: 1).rest : inside
  }

  mutating func click(at position: Position, clicks: Int, in state: inout BrowserState) {
    if !Self.area(in: state.size).contains(position) { state.closeOverlay() }
  }

  /// Draws the help over everything else.
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: buffer.size)
    let lines = lines(size: buffer.size)
    Box(title: "Help", note: "esc closes").cover(&buffer, in: area)
    let cursor = drawSearch(into: &buffer, in: area.inset(horizontal: 2, vertical: 1))
    let body = body(in: buffer.size)
    if lines.isEmpty {
      buffer.draw("No command is about that.", in: body, role: .dim)
    }
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
      into: &buffer, beside: body, column: area.right - 1)
    return cursor
  }

  private func drawSearch(into buffer: inout ScreenBuffer, in inside: Rectangle) -> Position? {
    guard isSearching || !search.text.isEmpty else { return nil }
    let line = inside.split(top: 1).top
    let used = buffer.draw("/ ", at: line.origin, role: .key)
    // Drawing scrolls the field sideways; only keys change the stored state.
    var field = search
    let cursor = field.draw(
      into: &buffer, in: line.split(left: used).rest,
      placeholder: "a word, such as sort or columns")
    return isSearching ? cursor : nil
  }
}

extension BrowserState {
  /// Opens the help.
  ///
  /// - Parameter word: the initial search text.
  mutating func openHelp(about word: String = "") {
    open(HelpState(for: scope, keymap: keymap, about: word))
  }
}

extension CommandScope {
  static let helpSearch = CommandScope(
    "help-search", title: "In the search line of the help", traits: .line,
    labels: ["accept": "read"])
}

import TerminalUI

/// The screen that shows the log, the newest message at the end, where the cursor begins.
struct MessageLogState: LineListOverlay {
  var survivesNewTables: Bool { true }
  var scope: CommandScope { .messages }
  var scroll = ScrollState()
  /// Whether the cursor goes along to messages that come.
  private var isFollowing = true

  /// One line of the screen.
  private struct Line {
    let text: String
    let role: StyleRole
    /// The place of its message in the log.
    let message: Int
  }

  init(in state: BrowserState) {
    moveCursor(to: .max, in: state)
  }

  static func area(in size: Size) -> Rectangle {
    size.box(columns: 110, rows: size.rows)
  }

  func box(in state: BrowserState) -> Rectangle? { Self.area(in: state.size) }

  func body(in state: BrowserState) -> Rectangle {
    Self.area(in: state.size).inset(horizontal: 2, vertical: 1)
  }

  func lineCount(in state: BrowserState) -> Int { lines(in: state).count }

  /// All messages as lines that fit, each message set apart by its mark.
  private func lines(in state: BrowserState) -> [Line] {
    let width = max(1, body(in: state).columns - 2)
    return state.messageLog.messages.enumerated().flatMap { place, message in
      message.text.wrapped(to: width).enumerated().map { index, line in
        Line(text: (index == 0 ? "- " : "  ") + line, role: message.role, message: place)
      }
    }
  }

  /// The message under the cursor.
  func message(in state: BrowserState) -> BrowserState.Message? {
    let lines = lines(in: state)
    guard lines.indices.contains(scroll.cursor) else { return nil }
    return state.messageLog.messages[lines[scroll.cursor].message]
  }

  /// Keeps the cursor where it is, also when messages come.
  mutating func stay() { isFollowing = false }

  mutating func cursorMoved(in state: inout BrowserState) {
    isFollowing = scroll.cursor == lineCount(in: state) - 1
  }

  mutating func requestMissing(in state: inout BrowserState) {
    if isFollowing { moveCursor(to: .max, in: state) }
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: buffer.size)
    buffer.fill(area)
    Box(title: "Messages", note: "esc closes", isFocused: true).draw(into: &buffer, in: area)
    let lines = lines(in: state)
    guard !lines.isEmpty else {
      let body = body(in: state)
      buffer.draw(
        "There has been no message yet.", at: body.origin, width: body.columns, role: .dim)
      return nil
    }
    drawLines(into: &buffer, in: state) { index, buffer, line in
      buffer.draw(
        lines[index].text, at: line.origin, width: line.columns, role: lines[index].role)
    }
    return nil
  }
}

extension CommandScope {
  static let messages = CommandScope(
    "messages", title: "In the messages", traits: [.scrolls, .closes, .copiesValue],
    openedBy: "messages")
}

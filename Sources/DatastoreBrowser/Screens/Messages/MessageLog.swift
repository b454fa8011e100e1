import TerminalUI

/// What the status line has said, so that it can be read again.
struct MessageLog: Sendable {
  /// More are not kept; the oldest go first.
  private static let most = 500

  private(set) var messages: [BrowserState.Message] = []

  /// Adds a message, unless it says what the last one said.
  mutating func note(_ message: BrowserState.Message) {
    guard messages.last != message else { return }
    messages.append(message)
    if messages.count > Self.most { messages.removeFirst(messages.count - Self.most) }
  }
}

/// The screen that shows the log, the newest message at the end.
struct MessageLogState: Overlay {
  var scope: CommandScope { .messages }

  /// Lines above the last screen of them: 0 shows the end.
  private(set) var back = 0

  static func area(in size: Size) -> Rectangle {
    Rectangle(size).centred(Size(columns: min(size.columns - 4, 110), rows: size.rows - 4))
  }

  private static func body(in size: Size) -> Rectangle {
    area(in: size).inset(horizontal: 2, vertical: 1)
  }

  /// All messages as lines of that width, each message set apart by its mark.
  private static func lines(of log: MessageLog, width: Int) -> [(text: String, role: StyleRole)] {
    log.messages.flatMap { message in
      message.text.wrapped(to: max(1, width - 2)).enumerated().map { index, line in
        ((index == 0 ? "- " : "  ") + line, message.role)
      }
    }
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) -> [Effect] {
    scroll(by: movement.rows(height: Self.body(in: state.size).rows), in: state)
    return []
  }

  mutating func wheel(
    _ lines: Int, at position: Position, in state: inout BrowserState
  ) -> [Effect] {
    scroll(by: lines, in: state)
    return []
  }

  mutating func click(
    at position: Position, clicks: Int, in state: inout BrowserState
  ) -> [Effect] {
    if !Self.area(in: state.size).contains(position) { state.closeOverlay() }
    return []
  }

  mutating func resize(in state: BrowserState) {
    scroll(by: 0, in: state)
  }

  private mutating func scroll(by rows: Int, in state: BrowserState) {
    let body = Self.body(in: state.size)
    let most = max(0, Self.lines(of: state.messageLog, width: body.columns).count - body.rows)
    let (difference, overflow) = back.subtractingReportingOverflow(rows)
    back = min(max(0, overflow ? (rows > 0 ? 0 : most) : difference), most)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: buffer.size)
    let body = Self.body(in: buffer.size)
    buffer.fill(area)
    Box(title: "Messages", note: "esc closes", isFocused: true).draw(into: &buffer, in: area)
    let lines = Self.lines(of: state.messageLog, width: body.columns)
    guard !lines.isEmpty else {
      buffer.draw(
        "There has been no message yet.", at: body.origin, width: body.columns, role: .dim)
      return nil
    }
    let end = max(0, lines.count - back)
    let visible = max(0, end - body.rows)..<end
    for (row, index) in visible.enumerated() {
      buffer.draw(
        lines[index].text, at: Position(column: body.left, row: body.top + row),
        width: body.columns, role: lines[index].role)
    }
    Scrollbar(count: lines.count, visible: visible).draw(
      into: &buffer,
      in: Rectangle(column: area.right - 1, row: body.top, columns: 1, rows: body.rows))
    return nil
  }
}

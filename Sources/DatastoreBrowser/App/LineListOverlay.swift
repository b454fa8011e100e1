import TerminalUI

/// An overlay that is a list of lines with a cursor on one of them.
///
/// Arrows, pages and the wheel move through the lines, a click puts the cursor on a line, and a double click
/// accepts the line, as Enter does. Unlike in a `PickListOverlay`, typing does not narrow the list down, so
/// letters are commands.
protocol LineListOverlay: Overlay {
  /// The line under the cursor, and the first one on the screen.
  var scroll: ScrollState { get set }

  /// The number of lines.
  func lineCount(in state: BrowserState) -> Int
  /// The area of the lines.
  func body(in state: BrowserState) -> Rectangle
  /// The box that a click outside of it closes; nil if clicks outside of the lines have no effect.
  func box(in state: BrowserState) -> Rectangle?
  /// Called when the cursor may be on another line.
  mutating func cursorMoved(in state: inout BrowserState)
  /// Whether a click in this column of the screen accepts its line.
  func takes(clicks: Int, column: Int, in state: BrowserState) -> Bool
  /// Accepts the line under the cursor. The overlay is still the topmost one of `state`.
  mutating func pick(in state: inout BrowserState)
}

extension LineListOverlay {
  func box(in state: BrowserState) -> Rectangle? { nil }
  mutating func cursorMoved(in state: inout BrowserState) {}
  func takes(clicks: Int, column: Int, in state: BrowserState) -> Bool { clicks == 2 }
  mutating func pick(in state: inout BrowserState) {}
  func accept(_ state: inout BrowserState) { state.change(Self.self) { $0.pick(in: &$1) } }
  func toggle(_ state: inout BrowserState) { accept(&state) }

  private func height(in state: BrowserState) -> Int { max(1, body(in: state).rows) }

  /// Puts the cursor on a line, or on the nearest existing one.
  mutating func moveCursor(to line: Int, in state: BrowserState) {
    scroll.move(to: line, count: lineCount(in: state), height: height(in: state))
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) {
    let height = height(in: state)
    scroll.move(by: movement.rows(height: height), count: lineCount(in: state), height: height)
    cursorMoved(in: &state)
  }

  mutating func wheel(_ lines: Int, at position: Position, in state: inout BrowserState) {
    scroll.scroll(by: lines, count: lineCount(in: state), height: height(in: state))
    cursorMoved(in: &state)
  }

  mutating func click(at position: Position, clicks: Int, in state: inout BrowserState) {
    if let box = box(in: state), !box.contains(position) { return dismiss(&state) }
    let body = body(in: state)
    let line = scroll.first + position.row - body.top
    guard body.contains(position), line < lineCount(in: state) else { return }
    moveCursor(to: line, in: state)
    cursorMoved(in: &state)
    guard takes(clicks: clicks, column: position.column, in: state) else { return }
    let overlay = self
    state.changeOverlay(as: Self.self) { $0 = overlay }
    pick(in: &state)
  }

  mutating func resize(in state: BrowserState) {
    scroll.settle(count: lineCount(in: state), height: height(in: state))
  }

  /// Draws the visible lines with the closure, then the cursor and a scrollbar beside them.
  ///
  /// - Parameter distance: the distance in columns between the lines and the scrollbar.
  func drawLines(
    into buffer: inout ScreenBuffer, in state: BrowserState, scrollbar distance: Int = 1,
    _ draw: (_ line: Int, _ buffer: inout ScreenBuffer, _ place: Rectangle) -> Void
  ) {
    let body = body(in: state)
    let count = lineCount(in: state)
    var scroll = scroll
    scroll.settle(count: count, height: height(in: state))
    let visible = scroll.visible(count: count, height: height(in: state))
    for (row, line) in visible.enumerated() {
      let place = body.row(row)
      draw(line, &buffer, place)
      if line == scroll.cursor { buffer.highlight(place, as: .selection) }
    }
    Scrollbar(count: count, visible: visible).draw(
      into: &buffer, beside: body, column: body.right + distance)
  }
}

import TerminalUI

/// An overlay of lines to read, without a cursor: keys and the wheel scroll.
protocol TextOverlay: Overlay {
  /// The first line on the screen.
  var first: Int { get set }

  /// The number of lines on a terminal of this size.
  func lineCount(in size: Size) -> Int
  /// The area of the lines.
  func body(in size: Size) -> Rectangle
  /// Called when the user scrolls.
  mutating func scrolled()
}

extension TextOverlay {
  mutating func scrolled() {}

  /// Scrolls by a number of lines, at most to the last ones.
  mutating func scroll(by rows: Int, size: Size) {
    let last = max(0, lineCount(in: size) - max(1, body(in: size).rows))
    let (sum, overflow) = first.addingReportingOverflow(rows)
    first = min(max(0, overflow ? (rows > 0 ? last : 0) : sum), last)
  }

  /// The lines on the screen.
  func visible(in size: Size) -> Range<Int> {
    let count = lineCount(in: size)
    return min(first, count)..<min(count, first + body(in: size).rows)
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) {
    scrolled()
    scroll(by: movement.rows(height: body(in: state.size).rows), size: state.size)
  }

  mutating func wheel(_ lines: Int, at position: Position, in state: inout BrowserState) {
    scrolled()
    scroll(by: lines, size: state.size)
  }

  mutating func resize(in state: BrowserState) {
    scroll(by: 0, size: state.size)
  }
}

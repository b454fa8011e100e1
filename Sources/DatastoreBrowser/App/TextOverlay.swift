import TerminalUI

/// An overlay of lines that are read, not chosen from: keys and the wheel scroll, there is no cursor.
protocol TextOverlay: Overlay {
  /// The first line on the screen.
  var first: Int { get set }

  /// How many lines there are on a terminal of that size.
  func lineCount(in size: Size) -> Int
  /// Where they are.
  func body(in size: Size) -> Rectangle
  /// Hears that the user has scrolled.
  mutating func scrolled()
}

extension TextOverlay {
  mutating func scrolled() {}

  /// Scrolls by a number of lines, as far as there are any.
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

import DatastoreCore
import TerminalUI

/// The header of the section that the uppermost visible row lies in stays on the screen.
extension TableState {
  /// The section whose header is drawn over the first visible line, since its own line has scrolled
  /// away; nil when no row of a section is uppermost.
  func stickySection(height: Int) -> Int? {
    let visible = scroll.visible(count: lines.count, height: height)
    guard isGrouped, height > 2, case .row = lines[visible.lowerBound] else { return nil }
    return lines.section(ofLine: visible.lowerBound)
  }

  /// Scrolls by a line where the cursor would lie under such a header.
  mutating func settleUnderHeader(height: Int) {
    guard stickySection(height: height) != nil, scroll.cursor == scroll.first else { return }
    scroll = ScrollState(cursor: scroll.cursor, first: scroll.first - 1)
    scroll.settle(count: lines.count, height: height)
  }

  /// Scrolls as the wheel does; the cursor comes along where it would leave the screen or lie under a
  /// header.
  mutating func wheel(by rows: Int, height: Int) {
    scroll.scroll(by: rows, count: lines.count, height: height)
    if stickySection(height: height) != nil, scroll.cursor == scroll.first {
      scroll = ScrollState(cursor: scroll.first + 1, first: scroll.first)
    }
    noteAnchor()
  }
}

import Basics
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

  /// The first visible line, for a line of a list in another order: its section's header where both
  /// fit, else a place in the middle of the screen.
  func firstShowingHeader(of line: Int, _ height: Int) -> Int {
    let header = isGrouped ? lines.line(ofSection: lines.section(ofLine: line)) ?? 0 : 0
    return line - header < height ? header : max(0, line - height / 2)
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
    moveAnchor()
  }
}

/// The sections of a list before the list itself has been read: their counts are found much sooner than
/// all keys in their order.
struct ExpectedSections: Hashable, Sendable {
  let count: Int
  /// Rows in all sections.
  let rows: Int
  private let counts: [Value: Int]

  init(_ sections: [KeyList.Section]) {
    count = sections.count
    rows = sections.reduce(0) { $0 + $1.count }
    counts = Dictionary(sections.map { ($0.value, $0.count) }, uniquingKeysWith: +)
  }

  /// The rows of a section.
  subscript(value: Value) -> Int? { counts[value] }
}

extension TableState {
  /// How many sections there are, as soon as that is known.
  var sectionCount: Int? { isComplete ? list.sections.count : expected?.count }

  /// The last section that one can go to: while the list is being read, one that has not come yet.
  var lastSectionToCome: Int {
    let isToCome = phase == .reading && !isAwaitingFirstRows
    return (isToCome ? sectionCount ?? .max : list.sections.count) - 1
  }

  /// How many rows there are, as soon as that is known.
  var rowTotal: Int? { isComplete ? list.keys.count : expected?.rows }

  /// The number of rows of a section, in words: while the list is being read, the last one may have more.
  func countText(ofSection section: Int) -> String {
    let entry = list.sections[section]
    if !isComplete, let count = expected?[entry.value] { return CountText.grouped(count) }
    let isLast = section == list.sections.count - 1
    return CountText.grouped(entry.count) + (isLast && !isComplete ? "+" : "")
  }
}

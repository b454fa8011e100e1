import Basics
import DatastoreCore
import TerminalUI

/// The header of the uppermost row's section stays on the screen.
extension TableState {
  /// The section whose header is drawn over the first visible line, since its own line has scrolled away; nil
  /// if the first visible line is not a row of a section.
  func stickySection(height: Int) -> Int? {
    let visible = scroll.visible(count: lines.count, height: height)
    guard isGrouped, height > 2, case .row = lines[visible.lowerBound] else { return nil }
    return lines.section(ofLine: visible.lowerBound)
  }

  /// The first visible line that shows a line in a list with another order: the header of its section if both
  /// fit, or else the line in the middle of the screen.
  func firstShowingHeader(of line: Int, _ height: Int) -> Int {
    let header = isGrouped ? lines.line(ofSection: lines.section(ofLine: line)) ?? 0 : 0
    return line - header < height ? header : max(0, line - height / 2)
  }

  /// Scrolls by a line if such a header would hide the cursor.
  mutating func settleUnderHeader(height: Int) {
    guard stickySection(height: height) != nil, scroll.cursor == scroll.first else { return }
    scroll = ScrollState(cursor: scroll.cursor, first: scroll.first - 1)
    scroll.settle(count: lines.count, height: height)
  }

  /// Scrolls as the mouse wheel does. The cursor moves along if it would leave the screen or be hidden by a
  /// header.
  mutating func wheel(by rows: Int, height: Int) {
    scroll.scroll(by: rows, count: lines.count, height: height)
    if stickySection(height: height) != nil, scroll.cursor == scroll.first {
      scroll = ScrollState(cursor: scroll.first + 1, first: scroll.first)
    }
    moveAnchor()
  }
}

/// The sections of a list before the list itself has been read: counting them is much faster than reading all
/// keys in order.
struct ExpectedSections: Hashable, Sendable {
  let count: Int
  /// The number of rows in all sections.
  let rows: Int
  private let counts: [Value: Int]

  init(_ sections: [KeyList.Section]) {
    count = sections.count
    rows = sections.reduce(0) { $0 + $1.count }
    counts = Dictionary(sections.map { ($0.value, $0.count) }, uniquingKeysWith: +)
  }

  /// The number of rows in a section.
  subscript(value: Value) -> Int? { counts[value] }
}

extension TableState {
  /// The number of sections, as soon as it is known.
  var sectionCount: Int? { isComplete ? list.sections.count : expected?.count }

  /// The last section that the user can go to; while the list is being read, this may be one that has not
  /// been read yet.
  var lastSectionToCome: Int {
    let isToCome = phase == .reading && !isAwaitingFirstRows
    return (isToCome ? sectionCount ?? .max : list.sections.count) - 1
  }

  /// The number of rows, as soon as it is known.
  var rowTotal: Int? { isComplete ? list.keys.count : expected?.rows }

  /// The number of rows of a section as text; while the list is being read, the last section may have more.
  func countText(ofSection section: Int) -> String {
    let entry = list.sections[section]
    if !isComplete, let count = expected?[entry.value] { return CountText.grouped(count) }
    let isLast = section == list.sections.count - 1
    return CountText.grouped(entry.count) + (isLast && !isComplete ? "+" : "")
  }
}

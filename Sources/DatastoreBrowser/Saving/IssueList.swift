import DatastoreCore
import TerminalUI

/// What keeps the changes from being saved, one line each; Enter goes to the property.
struct IssueList: LineListOverlay {
  /// One thing that is wrong.
  struct Issue: Hashable, Sendable {
    let object: ObjectReference
    let slot: Slot?
    /// A sentence.
    let text: String
  }

  var scope: CommandScope { .issues }
  let title: String
  let issues: [Issue]
  var scroll = ScrollState()

  init(title: String, _ issues: [Issue]) {
    self.title = title
    self.issues = issues
  }

  var current: Issue? { issues.indices.contains(scroll.cursor) ? issues[scroll.cursor] : nil }

  private func area(in size: Size) -> Rectangle {
    size.box(columns: 90, rows: issues.count + 2 + Self.detailRows)
  }

  /// The rows at the bottom in which the issue under the cursor is reported in full.
  private static let detailRows = 4

  func lineCount(in state: BrowserState) -> Int { issues.count }

  func body(in state: BrowserState) -> Rectangle {
    area(in: state.size).inset(horizontal: 2, vertical: 1).split(bottom: Self.detailRows).rest
  }

  func box(in state: BrowserState) -> Rectangle? { area(in: state.size) }

  /// Closes the list and goes to the property under the cursor.
  func pick(in state: inout BrowserState) {
    guard let current else { return }
    state.closeOverlay()
    state.goTo(current.object, slot: current.slot)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = area(in: buffer.size)
    buffer.fill(area)
    let body = Box(title: title, note: "enter goes there", isFocused: true)
      .draw(into: &buffer, in: area).inset(horizontal: 1)
    drawLines(into: &buffer, in: state) { index, buffer, line in
      buffer.draw(issues[index].text, at: line.origin, width: line.columns, role: .warning)
    }
    let whole = current?.text.wrapped(to: body.columns) ?? []
    for (row, line) in whole.prefix(Self.detailRows - 1).enumerated() {
      buffer.draw(
        line, at: Position(column: body.left, row: body.bottom - Self.detailRows + 1 + row),
        width: body.columns, role: .dim)
    }
    return nil
  }
}

extension CommandScope {
  static let issues = CommandScope(
    "issues", title: "In the list of problems that prevent saving",
    traits: [.scrolls, .accepts, .closes], labels: ["accept": "go there"])
}

import DatastoreCore
import TerminalUI

/// What keeps the changes from being saved, one line each; Enter goes to the property.
struct IssueList: Overlay {
  /// One thing that is wrong.
  struct Issue: Hashable, Sendable {
    let object: ObjectReference
    let slot: Int?
    /// A sentence.
    let text: String
  }

  var scope: CommandScope { .issues }
  let title: String
  let issues: [Issue]
  private(set) var scroll = ScrollState()

  init(title: String, _ issues: [Issue]) {
    self.title = title
    self.issues = issues
  }

  var current: Issue? { issues.indices.contains(scroll.cursor) ? issues[scroll.cursor] : nil }

  private func area(in size: Size) -> Rectangle {
    Rectangle(size).centred(
      Size(
        columns: min(size.columns - 4, 90),
        rows: min(size.rows - 4, issues.count + 2 + Self.detailRows)))
  }

  /// The rows at the bottom in which the issue under the cursor is told in full.
  private static let detailRows = 4

  /// The rows of the list.
  private func height(in size: Size) -> Int { max(1, area(in: size).rows - 2 - Self.detailRows) }

  mutating func move(_ movement: Movement, in state: inout BrowserState) -> [Effect] {
    let height = height(in: state.size)
    scroll.move(by: movement.rows(height: height), count: issues.count, height: height)
    return []
  }

  mutating func wheel(
    _ rows: Int, at position: Position, in state: inout BrowserState
  ) -> [Effect] {
    let height = height(in: state.size)
    scroll.scroll(by: rows, count: issues.count, height: height)
    return []
  }

  mutating func click(
    at position: Position, clicks: Int, in state: inout BrowserState
  ) -> [Effect] {
    let area = area(in: state.size)
    guard area.contains(position) else {
      state.closeOverlay()
      return []
    }
    let row = scroll.first + position.row - area.top - 1
    guard issues.indices.contains(row) else { return [] }
    scroll.move(to: row, count: issues.count, height: height(in: state.size))
    return clicks == 2 ? go(in: &state) : []
  }

  /// Closes the list and goes to the property under the cursor.
  func go(in state: inout BrowserState) -> [Effect] {
    guard let current else { return [] }
    state.closeOverlay()
    return state.goTo(current.object, slot: current.slot)
  }

  mutating func resize(in state: BrowserState) {
    scroll.settle(count: issues.count, height: height(in: state.size))
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = area(in: buffer.size)
    buffer.fill(area)
    let body = Box(title: title, note: "enter goes there", isFocused: true)
      .draw(into: &buffer, in: area).inset(horizontal: 1)
    let visible = scroll.visible(count: issues.count, height: height(in: buffer.size))
    for (row, index) in visible.enumerated() {
      let line = Rectangle(column: body.left, row: body.top + row, columns: body.columns, rows: 1)
      buffer.draw(issues[index].text, at: line.origin, width: line.columns, role: .warning)
      if index == scroll.cursor { buffer.highlight(line, as: .selection) }
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

import TerminalUI

/// A small list of the completions at the cursor of a line.
struct CompletionMenu: Hashable, Sendable {
  struct Item: Hashable, Sendable {
    /// The text to insert.
    var text: String
    /// A note: a type, or the name of an object.
    var detail = ""
    var role = StyleRole.text
    /// The text to insert after it.
    var tail = ""
  }

  private(set) var items: [Item] = []
  /// The index of the item that Enter accepts; nil while none is marked.
  private(set) var selected: Int?

  /// The most items that are visible.
  private static let height = 8

  var current: Item? { selected.map { items[$0] } }

  /// Replaces the items; the mark stays on its item.
  mutating func setItems(_ new: [Item]) {
    let marked = current
    items = new
    selected = marked.flatMap { new.firstIndex(of: $0) }
  }

  mutating func close() {
    items = []
    selected = nil
  }

  mutating func unmark() { selected = nil }

  /// Marks the next or previous item; going up from the first one clears the mark. Returns false if nothing
  /// has changed.
  mutating func move(by step: Int) -> Bool {
    guard !items.isEmpty else { return false }
    guard let marked = selected else {
      if step < 0 { return false }
      selected = 0
      return true
    }
    let next = marked + step
    selected = next < 0 ? nil : min(next, items.count - 1)
    return true
  }

  /// The area of the menu: above the line, with its text at the column of the anchor, or below if there is no
  /// room above.
  func area(at anchor: Position, on screen: Rectangle) -> Rectangle {
    let rows = min(items.count, Self.height) + 2
    let widest = items.map(Self.width).max() ?? 0
    let columns = min(max(12, widest + 3), screen.columns)
    let left = max(screen.left, min(anchor.column - 1, screen.right - columns))
    let isAbove = anchor.row - screen.top >= rows
    return Rectangle(
      column: left, row: isAbove ? anchor.row - rows : anchor.row + 1, columns: columns, rows: rows
    ).intersection(screen)
  }

  private static func width(_ item: Item) -> Int {
    let detail = item.detail.isEmpty ? 0 : item.detail.displayWidth(upTo: 30) + 2
    return item.text.displayWidth(upTo: 50) + detail
  }

  private func visible(rows: Int) -> Range<Int> {
    let rows = max(0, rows)
    let marked = selected ?? 0
    let first = min(max(0, marked - rows + 1), max(0, items.count - rows))
    return first..<min(items.count, first + rows)
  }

  /// Marks the item at a position of the screen; false if there is none.
  mutating func click(at position: Position, anchor: Position, on screen: Rectangle) -> Bool {
    let body = area(at: anchor, on: screen).inset(horizontal: 1, vertical: 1)
    guard !items.isEmpty, body.contains(position) else { return false }
    let index = visible(rows: body.rows).lowerBound + position.row - body.top
    guard items.indices.contains(index) else { return false }
    selected = index
    return true
  }

  func draw(into buffer: inout ScreenBuffer, at anchor: Position, on screen: Rectangle) {
    guard !items.isEmpty else { return }
    let area = area(at: anchor, on: screen)
    buffer.fill(area)
    let visible = visible(rows: area.rows - 2)
    let note = items.count > visible.count ? "\((selected ?? 0) + 1) of \(items.count)" : ""
    let body = Box(note: note).draw(into: &buffer, in: area)
    for (row, index) in visible.enumerated() {
      let item = items[index]
      let line = body.row(row)
      let used = buffer.draw(item.text, in: line, role: item.role)
      if !item.detail.isEmpty, line.columns - used > 2 {
        buffer.draw(
          item.detail, at: Position(column: line.left + used + 2, row: line.top),
          width: line.columns - used - 2, role: .dim, alignment: .trailing)
      }
      if index == selected { buffer.highlight(line, as: .selection) }
    }
    Scrollbar(count: items.count, visible: visible).draw(
      into: &buffer, beside: body, column: area.right - 1)
  }
}

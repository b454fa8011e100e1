import Basics

/// A list to pick one item from, with a search line above it.
///
/// The owner decides who searches: the list itself among its items, or the owner, who then sets the found
/// items whenever `search` has changed.
package struct PickList<ID: Hashable & Sendable>: Hashable, Sendable {
  /// One line of the list.
  package struct Item: Hashable, Sendable {
    package var id: ID
    package var text: String
    /// A dim text at the right end: a key, a count.
    package var note: String
    package var role: StyleRole

    package init(_ id: ID, text: String, note: String = "", role: StyleRole = .text) {
      self.id = id
      self.text = text
      self.note = note
      self.role = role
    }
  }

  /// The search text.
  package private(set) var search = TextField()
  /// The matching items, in the given order.
  package private(set) var matches: [Item] = []
  /// The visible rows and the row under the cursor.
  package private(set) var scroll = ScrollState()
  /// The text in place of the items if there are none.
  package var notice = "Nothing matches."
  private var items: [Item] = []
  private let isSearchedByOwner: Bool

  /// - Parameter isSearchedByOwner: whether the owner sets the matching items only.
  package init(_ items: [Item] = [], isSearchedByOwner: Bool = false) {
    self.isSearchedByOwner = isSearchedByOwner
    setItems(items)
  }

  /// The number of items, matching or not.
  package var count: Int { items.count }

  /// The item under the cursor.
  package var current: Item? {
    matches.indices.contains(scroll.cursor) ? matches[scroll.cursor] : nil
  }

  /// Replaces the items; the cursor stays on its item, if that is still in the list.
  package mutating func setItems(_ items: [Item]) {
    self.items = items
    match(keeping: current?.id)
  }

  /// Replaces the items with those that another search has found and puts the cursor on the first of them.
  package mutating func setFound(_ items: [Item]) {
    self.items = items
    match(keeping: nil)
  }

  /// Puts the cursor on an item, if it is in the list.
  package mutating func select(_ id: ID) {
    guard let index = matches.firstIndex(where: { $0.id == id }) else { return }
    scroll = ScrollState(cursor: index, first: max(0, index - 3))
  }

  /// Handles a key that edits the search. Returns whether the text of the search has changed.
  package mutating func handle(_ key: Key) -> Bool {
    let before = search.text
    guard search.handle(key), search.text != before else { return false }
    match(keeping: nil)
    return true
  }

  package mutating func setSearch(_ text: String) {
    search.setText(text)
    match(keeping: nil)
  }

  /// Inserts a text into the search.
  package mutating func insert(_ text: some StringProtocol) {
    search.insert(text)
    match(keeping: nil)
  }

  /// Moves the cursor by this many rows, in a list of this height.
  package mutating func move(by rows: Int, height: Int) {
    scroll.move(by: rows, count: matches.count, height: height)
  }

  /// Puts the cursor on the item in a row of the visible list; false if there is none.
  package mutating func click(row: Int, height: Int) -> Bool {
    let index = scroll.first + row
    guard row >= 0, row < height, matches.indices.contains(index) else { return false }
    scroll.move(to: index, count: matches.count, height: height)
    return true
  }

  private mutating func match(keeping id: ID?) {
    let words = search.text.lowercased().words()
    matches =
      isSearchedByOwner || words.isEmpty
      ? items
      : items.filter { item in
        let text = item.text.lowercased()
        return words.allSatisfy { text.contains($0) }
      }
    let index = id.flatMap { id in matches.firstIndex { $0.id == id } }
    scroll = ScrollState(cursor: index ?? 0, first: index == nil ? 0 : scroll.first)
  }

  /// The number of item rows that `draw` shows in an area.
  package static func height(in area: Rectangle) -> Int { max(0, area.rows - 1) }

  /// Draws the search line and the items below it; returns the position of the terminal's cursor.
  package func draw(into buffer: inout ScreenBuffer, in area: Rectangle) -> Position? {
    guard area.columns > 4, area.rows > 1 else { return nil }
    let (top, list) = area.split(top: 1)
    let mark = buffer.draw("/ ", at: top.origin, role: .dim)
    // Drawing scrolls the field sideways; only keys change the stored state.
    var field = search
    let cursor = field.draw(
      into: &buffer, in: top.split(left: mark).rest, placeholder: "type to search")
    if matches.isEmpty {
      buffer.draw(notice, in: list, role: .dim)
      return cursor
    }
    var scroll = scroll
    scroll.settle(count: matches.count, height: list.rows)
    for (row, index) in scroll.visible(count: matches.count, height: list.rows).enumerated() {
      let item = matches[index]
      let line = list.row(row)
      let isCurrent = index == scroll.cursor
      let noteWidth = min(item.note.displayWidth(upTo: line.columns / 2), line.columns / 2)
      let width = line.columns - 2 - (noteWidth > 0 ? noteWidth + 1 : 0)
      buffer.draw(isCurrent ? "> " : "  ", at: line.origin, width: 2, role: .key)
      buffer.draw(
        item.text, at: Position(column: line.left + 2, row: line.top), width: max(1, width),
        role: item.role)
      if noteWidth > 0 {
        buffer.draw(
          item.note, at: Position(column: line.right - noteWidth, row: line.top), width: noteWidth,
          role: .dim)
      }
      if isCurrent { buffer.highlight(line, as: .selection) }
    }
    return cursor
  }
}

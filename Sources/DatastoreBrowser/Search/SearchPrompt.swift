import DatastoreCore
import TerminalUI

/// The line in which a text is typed that is searched for in one column. The cursor goes to the first
/// match behind where it was while one types, and back there when the text is given up.
struct SearchPrompt: Overlay {
  var scope: CommandScope { .search }
  var field = TextField()
  /// The index of the column.
  let column: Int
  /// Where the table was when the search began.
  let start: ScrollState
  /// The place in the list from which the search goes on.
  let startRow: Int
  /// What was searched for before.
  let previous: TableSearch?

  mutating func press(_ key: Key, in state: inout BrowserState) -> [Effect] {
    let before = field.text
    guard field.handle(key), field.text != before else { return [] }
    return search(&state)
  }

  mutating func paste(_ text: String, in state: inout BrowserState) -> [Effect] {
    field.insert(text)
    return search(&state)
  }

  private func search(_ state: inout BrowserState) -> [Effect] {
    state.message = nil
    return state.search(for: field.text, column: column, from: startRow, .firstAtStart)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let (line, below) = (state.layout.status, state.layout.footer)
    guard let table = state.table, table.columns.indices.contains(column) else { return nil }
    buffer.draw("", at: line.origin, width: line.columns)
    let used = buffer.draw(
      "Search in \(table.columns[column].name): ", at: line.origin, role: .key)
    var field = field
    let cursor = field.draw(
      into: &buffer, at: Position(column: line.left + used, row: line.top),
      width: max(0, line.columns - used), placeholder: "a part of what the cells show")
    if let message = state.message {
      buffer.draw(message.text, at: below.origin, width: below.columns, role: message.role)
    } else if table.search?.isRunning == true {
      buffer.draw("searching…", at: below.origin, width: below.columns, role: .dim)
    }
    return cursor
  }
}

extension BrowserState {
  /// Opens the search line for the column under the cursor.
  mutating func openSearch() {
    guard let table else { return }
    open(
      SearchPrompt(
        column: table.column, start: table.scroll, startRow: table.currentRow ?? 0,
        previous: table.search))
  }

  /// Begins to look for a text; an empty one ends the search.
  mutating func search(
    for text: String, column: Int, from row: Int, _ direction: SearchRequest.Direction
  ) -> [Effect] {
    guard var table, table.columns.indices.contains(column), let entity else { return [] }
    let number = (table.search?.number ?? 0) + 1
    var search = TableSearch(column: column, text: text, number: number)
    search.isRunning = !text.isEmpty
    table.search = search
    self.table = table
    guard !text.isEmpty else { return [.stopSearching] }
    let described = table.columns[column]
    let path = described.destination == nil ? [described.name] : described.shownPath
    return [
      .search(
        SearchRequest(
          fetch: table.fetch, number: number, entity: entity.index, slot: described.slot,
          path: path, text: text, list: table.list.keys, start: row, direction: direction))
    ]
  }

  /// Looks for the next match of what was searched for last, or for the one before.
  mutating func searchAgain(_ direction: SearchRequest.Direction) -> [Effect] {
    guard let table, let search = table.search else { return [] }
    return self.search(
      for: search.text, column: search.column, from: table.currentRow ?? 0, direction)
  }

  /// Ends the search line and keeps the cursor where it is.
  mutating func acceptSearch() -> [Effect] {
    guard let prompt = overlay(as: SearchPrompt.self) else { return [] }
    closeOverlay()
    if prompt.field.text.isEmpty { table?.search = nil }
    return []
  }

  /// Ends the search line; everything is as it was before.
  mutating func cancelSearch() -> [Effect] {
    guard let prompt = overlay(as: SearchPrompt.self) else { return [] }
    closeOverlay()
    message = nil
    changeTable { table, height in
      let number = table.search?.number ?? 0
      table.search = prompt.previous
      // What is still being looked for must not move the cursor any more.
      table.search?.number = number + 1
      table.search?.isRunning = false
      table.scroll = prompt.start
      table.scroll.settle(count: table.lines.count, height: height)
      table.noteAnchor()
    }
    return [.stopSearching]
  }

  /// Applies what a search has found.
  mutating func apply(_ found: SearchOutcome, of request: SearchRequest) {
    guard let table, table.fetch == request.fetch, table.search?.number == request.number else {
      return
    }
    self.table?.search?.isRunning = false
    switch found {
    case .failed(let reason): message = Message(text: reason, severity: .error)
    case .nothing:
      let place = table.isComplete ? "" : " among the rows that have been read"
      message = Message(
        text: "“\(request.text)” is not in this column\(place).", severity: .warning)
    case .found(let row, let key, let isWrapped):
      let keys = table.list.keys
      let isThere = keys.indices.contains(row) && keys[row] == key
      guard let place = isThere ? row : keys.firstIndex(of: key) else { return }
      changeTable { $0.moveCursor(toRow: place, height: $1) }
      guard isWrapped else { return }
      let end = request.direction == .backward ? "bottom" : "top"
      message = Message(text: "The search continued from the \(end).", severity: .information)
    }
  }
}

extension TableState {
  /// The place in the list of the row under the cursor; of the first row of a section on its header.
  var currentRow: Int? {
    switch currentLine {
    case .row(let index): index
    case .header(let section): list.starts.indices.contains(section) ? list.starts[section] : nil
    case nil: nil
    }
  }
}

extension CommandScope {
  static let search = CommandScope("search", title: "In the search line")
}

import DatastoreCore
import TerminalUI

/// The line that asks for a text to search the table for. While the user types, the cursor moves to the first
/// match after its former place; cancelling moves it back.
struct SearchPrompt: FieldOverlay {
  static let scope = CommandScope(
    "search", title: "In the search line", traits: .picks.union([.completes]),
    labels: ["accept": "stay here", "complete": "search more", "down": "next"])
  var field = TextField()
  /// The part of the file that is searched.
  private(set) var reach = SearchReach.table
  /// Whether the search is for words rather than for any part of a text.
  private(set) var findsWords = false
  /// The index of the column that the cursor was on when the search began.
  let column: Int
  /// The scroll position when the search began.
  let start: ScrollState
  /// The place in the list where the search starts.
  let startRow: Int
  /// The search before.
  let previous: TableSearch?

  init(_ table: TableState, reach: SearchReach = .table, text: String = "") {
    self.reach = reach
    column = table.column
    start = table.scroll
    startRow = table.currentRow ?? 0
    previous = table.search
    field.setText(text)
  }

  func accept(_ state: inout BrowserState) { state.acceptSearch() }
  func dismiss(_ state: inout BrowserState) { state.cancelSearch() }
  func complete(_ state: inout BrowserState) { state.change(Self.self) { $0.widen(in: &$1) } }

  mutating func move(_ movement: Movement, in state: inout BrowserState) {
    guard reach != .file else { return }
    state.searchAgain(movement.rows(height: 2) > 0 ? .forward : .backward)
  }

  /// Widens the search: from one column to the table, then to the whole file, and then back to one column.
  mutating func widen(in state: inout BrowserState) {
    switch reach {
    case .column: reach = .table
    case .table: (reach, findsWords) = (.file, false)
    case .file: reach = .column(column)
    }
    textChanged(in: &state)
  }

  /// Switches between searching for words and for parts of texts.
  mutating func toggleWords(in state: inout BrowserState) {
    guard reach != .file else {
      return state.tell("Words are searched for in one table; tab chooses that.", .warning)
    }
    findsWords.toggle()
    textChanged(in: &state)
  }

  func textChanged(in state: inout BrowserState) {
    state.message = nil
    guard reach != .file else { return state.request(.stopSearching) }
    state.search(
      for: SearchText(field.text, asWords: findsWords), reach, from: startRow, .firstAtStart)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let (line, below) = (state.layout.status, state.layout.footer)
    guard let table = state.table else { return nil }
    let isSearching = reach != .file && table.search?.isRunning == true
    let count =
      reach == .file || isSearching ? nil : table.search?.count(at: table.currentRow)
    let (left, right) = line.split(right: count.map { $0.displayWidth() + 1 } ?? 0)
    let cursor = field.drawLine(
      into: &buffer, in: left, asking: "Search \(findsWords ? "words of " : "")\(subject(table)): ",
      placeholder: placeholder)
    buffer.draw(count ?? "", in: right, role: .key)
    if let message = state.message {
      buffer.draw(message.text, in: below, role: message.role)
    } else if isSearching {
      buffer.draw("searching…", in: below, role: .dim)
    }
    return cursor
  }

  private var placeholder: String {
    if findsWords { return "words in any order, app* for their beginnings" }
    return reach == .file
      ? "a part of what any cell of any table shows; enter searches"
      : "a part of what the cells show"
  }

  private func subject(_ table: TableState) -> String {
    switch reach {
    case .table: "all columns"
    case .file: "the file"
    case .column(let column) where table.columns.indices.contains(column):
      (findsWords ? "" : "in ") + table.columns[column].name
    case .column: "one column"
    }
  }
}

extension BrowserState {
  /// Opens the search of the current scope.
  mutating func openSearch() {
    if overlay(as: HelpState.self) != nil {
      changeOverlay(as: HelpState.self) { $0.beginSearch() }
    } else if !overlays.isEmpty {
      open(LineSearchPrompt())
    } else if focus == .entities {
      open(EntityPicker(in: self))
    } else if let table {
      open(SearchPrompt(table))
    }
  }

  /// Starts to search for a text; an empty one ends the search.
  mutating func search(
    for text: SearchText, _ reach: SearchReach, from row: Int,
    _ direction: SearchRequest.Direction
  ) {
    guard var table, let entity else { return }
    let columns = table.searchedColumns(reach, hasWords: text.words != nil)
    let number = (table.search?.number ?? 0) + 1
    var search = TableSearch(
      reach: reach, columns: columns.map(\.index), text: text, number: number)
    let isSame = table.search?.text == search.text && table.search?.columns == search.columns
    search.places = isSame ? table.search?.places : nil
    search.isRunning = !text.isEmpty && !columns.isEmpty
    table.search = search
    self.table = table
    guard !text.isEmpty else { return request(.stopSearching) }
    guard !columns.isEmpty else {
      tell("There is no text here to search. Press tab to search more.", .warning)
      return request(.stopSearching)
    }
    request(
      .search(
        SearchRequest(
          fetch: table.fetch, number: number, entity: entity.index, columns: columns,
          text: search.text,
          list: table.list.keys, start: row, direction: direction,
          condition: table.query.request(in: schema).predicate)))
  }

  /// Searches for the next match of the last search, or for the previous one.
  mutating func searchAgain(_ direction: SearchRequest.Direction) {
    if overlays.last is any SearchableLines {
      return changeSearchedLines { $0.findAgain(forward: direction == .forward, size: $1) }
    }
    guard let table, let search = table.search else { return }
    self.search(for: search.text, search.reach, from: table.currentRow ?? 0, direction)
  }

  /// Closes the search line and keeps the cursor where it is.
  mutating func acceptSearch() {
    guard let prompt = overlay(as: SearchPrompt.self) else { return }
    if prompt.reach == .file {
      cancelSearch()
      if !prompt.field.text.isEmpty { openFileSearch(for: prompt.field.text) }
      return
    }
    closeOverlay()
    if prompt.field.text.isEmpty { table?.search = nil }
  }

  /// Closes the search line and restores the former state.
  mutating func cancelSearch() {
    guard let prompt = overlay(as: SearchPrompt.self) else { return }
    closeOverlay()
    message = nil
    changeTable { table, height in
      let number = table.search?.number ?? 0
      table.search = prompt.previous
      // A running search must no longer move the cursor.
      table.search?.number = number + 1
      table.search?.isRunning = false
      table.column = prompt.column
      table.scroll = prompt.start
      table.scroll.settle(count: table.lines.count, height: height)
      table.moveAnchor()
    }
    request(.stopSearching)
  }

  mutating func apply(_ found: SearchOutcome, of request: SearchRequest) {
    guard let table, table.fetch == request.fetch, table.search?.number == request.number else {
      return
    }
    self.table?.search?.isRunning = false
    switch found {
    case .failed(let reason): tell(reason, .error)
    case .nothing:
      let place = table.isComplete ? "" : " among the rows that have been read"
      tell(
        "“\(request.text)” is not in \(table.search?.subject ?? "this table")\(place).", .warning)
    case .found(let row, let key, let column, let isWrapped):
      let keys = table.list.keys
      let isThere = keys.indices.contains(row) && (keys.readKey(at: row) ?? key) == key
      guard let place = isThere ? row : keys.firstIndex(of: key) else { return }
      changeTable { table, height in
        table.moveCursor(toRow: place, height: height)
        table.column = column
      }
      guard isWrapped else { return }
      let isBackward = request.direction == .backward
      let end =
        request.text.words == nil
        ? (isBackward ? "bottom" : "top") : isBackward ? "last match" : "best match"
      tell("The search continued from the \(end).", .information)
    }
  }
}

extension TableSearch {
  /// The searched part in words.
  fileprivate var subject: String {
    switch reach {
    case .column: "this column"
    case .table, .file: columns.count == 1 ? "this table" : "any column of this table"
    }
  }
}

extension TableState {
  /// The columns that a search goes through.
  ///
  /// - Parameter hasWords: whether the search is for words, which only texts have.
  fileprivate func searchedColumns(
    _ reach: SearchReach, hasWords: Bool
  ) -> [(index: Int, column: TableColumn)] {
    let indices: [Int] =
      switch reach {
      case .column(let column): [column]
      case .table, .file: arrangement.shown
      }
    return indices.filter { index in
      guard columns.indices.contains(index) else { return false }
      return hasWords ? columns[index].hasWords : columns[index].isSearchable
    }
    .map { ($0, columns[$0]) }
  }
}

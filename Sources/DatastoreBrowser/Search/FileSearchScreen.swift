import Basics
import DatastoreCore
import TerminalUI

/// What a text is found in all over the file, to go there.
struct FileSearchScreen: PickListOverlay {
  /// A row that shows the text.
  struct Hit: Hashable, Sendable {
    let object: ObjectReference
    /// The name of the column.
    let column: String
  }

  /// What was found in one entity.
  struct Found: Sendable {
    let entity: EntityIndex
    var rows: [(hit: Hit, name: String, text: String)]
    /// Whether there are more than these.
    var hasMore: Bool
  }

  var scope: CommandScope { .fileSearch }
  var list = PickList<Hit>(isSearchedByOwner: true)
  /// The text that is searched for, or was.
  private var searched = SearchText("")
  /// How many entities have not been searched yet.
  private var remaining = 0
  private var isCut = false

  init(_ text: String) {
    list.setSearch(text)
    list.notice = "Type a text that is searched for in every table."
  }

  /// Begins to look for what was typed, when that is not done yet.
  mutating func requestMissing(in state: inout BrowserState) {
    let text = SearchText(list.search.text)
    guard text != searched else { return }
    searched = text
    isCut = false
    list.setFound([])
    guard !text.isEmpty else {
      remaining = 0
      list.notice = "Type a text that is searched for in every table."
      return state.request(.stopSearchingFile)
    }
    list.notice = "searching…"
    // What is shown is searched first.
    let shown = state.table?.query.entity
    let order = state.schema.entities.map(\.index).filter {
      state.schema.entities[$0].parent == nil
    }
    remaining = order.count
    state.request(.searchFile(text, order.filter { $0 == shown } + order.filter { $0 != shown }))
  }

  /// Shows what was found in an entity, unless another text has been typed since.
  mutating func apply(_ found: Found?, of text: SearchText, in schema: Schema) {
    guard text == searched else { return }
    remaining -= 1
    if let found {
      isCut = isCut || found.hasMore
      let entity = schema.entities[found.entity].name
      let present = list.current?.id
      list.setItems(
        list.matches
          + found.rows.map { row in
            PickList.Item(
              row.hit, text: "\(row.hit.column): \(row.text)", note: "\(entity) \(row.name)")
          })
      if let present { list.select(present) }
    }
    if remaining <= 0, list.matches.isEmpty { list.notice = "“\(text)” is nowhere in this file." }
  }

  func complete(_ state: inout BrowserState) { state.widenSearch() }

  func dismiss(_ state: inout BrowserState) {
    state.closeOverlay()
    state.request(.stopSearchingFile)
  }

  /// Goes to the row under the cursor.
  func pick(in state: inout BrowserState) {
    guard let hit = list.current?.id else { return }
    state.closeOverlay()
    state.request(.stopSearchingFile)
    state.follow(to: hit.object)
    state.focus = .table
    if let column = state.table?.columns.firstIndex(where: { $0.name == hit.column }) {
      state.table?.column = column
      state.table?.search = TableSearch(reach: .table, columns: [column], text: searched)
    }
  }

  func area(in size: Size) -> Rectangle { size.box(columns: 100, rows: size.rows) }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = area(in: state.size)
    buffer.fill(area)
    var note = remaining > 0 ? "\(CountText.counted(remaining, "table")) to search" : ""
    if note.isEmpty, isCut { note = "the first \(FileSearch.most) rows of a table are listed" }
    Box(title: "Search the file", note: note, isFocused: true).draw(into: &buffer, in: area)
    return list.draw(into: &buffer, in: body(in: state.size))
  }
}

extension BrowserState {
  /// Searches the whole file.
  mutating func openFileSearch(for text: String) {
    open(FileSearchScreen(text))
  }
}

extension CommandScope {
  static let fileSearch = CommandScope(
    "file-search", title: "In a search of the whole file", traits: .picks.union([.completes]),
    labels: ["complete": "search more"])
}

import Basics
import DatastoreCore
import TerminalUI

/// All sections with the number of their rows, to go to one of them; typing narrows them down.
///
/// There may be a million of them, so the list holds those around the cursor, or the first ones that match.
struct SectionsScreen: PickListOverlay {
  var scope: CommandScope { .sections }
  var list = PickList<Int>(isSearchedByOwner: true)
  /// The words that are looked for, or that were.
  private var searched: String?
  private var isSearching = false
  private var isFirstAnswer = false
  /// The sections and their names that were known when the list was made.
  private var known = (sections: 0, names: 0)
  /// Names of related objects that are asked for at once, and the most sections in the list.
  fileprivate static let most = 5000
  /// Sections in the list on each side of the cursor.
  private static let around = 500

  init(in state: BrowserState) {
    guard let table = state.table else { return }
    known.sections = table.list.sections.count
    show(table.lines.section(ofLine: table.scroll.cursor), in: state)
  }

  /// Puts the sections around one into the list, and the cursor on that.
  private mutating func show(_ section: Int, in state: BrowserState) {
    guard let table = state.table else { return }
    let range = (section - Self.around..<section + Self.around + 1)
      .clamped(to: 0..<table.list.sections.count)
    let name = Self.namer(table, in: state)
    list.setItems(range.map { Self.item($0, table, name) })
    list.select(section)
  }

  private static func item(
    _ index: Int, _ table: TableState, _ name: (Value) -> String
  ) -> PickList<Int>.Item {
    let section = table.list.sections[index]
    return PickList.Item(
      index, text: name(section.value), note: CountText.grouped(section.count),
      role: .sectionHeader)
  }

  private static func namer(_ table: TableState, in state: BrowserState) -> (Value) -> String {
    let marks = Marks(.unicode)
    let surroundings = state.tableSurroundings(table, marks)
    return { table.sectionName($0, surroundings, marks) }
  }

  /// Without words the sections around the cursor; with some, those that have them are looked for meanwhile.
  mutating func searchChanged(in state: BrowserState) {
    searched = nil
    guard let table = state.table, words.isEmpty else { return }
    isSearching = false
    list.notice = "Nothing matches."
    show(table.lines.section(ofLine: table.scroll.cursor), in: state)
  }

  private var words: String { list.search.text.trimmingPrefix { $0 == " " }.description }

  /// Shows the sections that were found, unless other words have been typed since.
  mutating func apply(_ found: [Int], of words: String, isComplete: Bool, in state: BrowserState) {
    guard words == self.words, let table = state.table else { return }
    let name = Self.namer(table, in: state)
    let present = isFirstAnswer ? nil : list.current?.id
    isFirstAnswer = false
    isSearching = !isComplete
    list.notice = isComplete ? "Nothing matches." : "searching…"
    list.setFound(
      found.filter { table.list.sections.indices.contains($0) }.map { Self.item($0, table, name) })
    if let present { list.select(present) }
  }

  /// Begins to look for what was typed, when that is not done yet.
  private mutating func takeSearch(in state: inout BrowserState) {
    let words = words
    guard !words.isEmpty, searched != words, let table = state.table else {
      if words.isEmpty && isSearching { state.request(.stopFindingSections) }
      return
    }
    searched = words
    isFirstAnswer = true
    isSearching = true
    list.notice = "searching…"
    state.request(
      .findSections(
        SectionSearch(
          words: words, sections: table.list.sections, names: state.names,
          naming: SectionNaming(
            path: table.groupPath, format: state.groupFormat(of: table), marks: Marks(.unicode)),
          most: Self.most)))
  }

  mutating func move(_ movement: Movement, in state: inout BrowserState) {
    go(by: movement.rows(height: PickList<Int>.height(in: body(in: state.size))), in: state)
  }

  mutating func wheel(_ lines: Int, at position: Position, in state: inout BrowserState) {
    go(by: lines, in: state)
  }

  private mutating func go(by rows: Int, in state: BrowserState) {
    let height = PickList<Int>.height(in: body(in: state.size))
    guard list.search.text.isEmpty, let present = list.current?.id,
      let count = state.table?.list.sections.count
    else {
      list.move(by: rows, height: height)
      return
    }
    let (sum, overflow) = present.addingReportingOverflow(rows)
    let target = min(max(0, overflow ? (rows > 0 ? count : 0) : sum), max(0, count - 1))
    if let first = list.matches.first?.id, let last = list.matches.last?.id,
      (first...last).contains(target)
    {
      list.move(by: target - present, height: height)
    } else {
      show(target, in: state)
    }
  }

  func area(in size: Size) -> Rectangle {
    size.box(columns: 64, rows: min(known.sections, size.rows) + 3)
  }

  func body(in size: Size) -> Rectangle { area(in: size).inset(horizontal: 1, vertical: 1) }

  /// Applies the sections that have been read since, and the names of the objects that make them, when objects do.
  mutating func requestMissing(in state: inout BrowserState) {
    guard let table = state.table else { return }
    var now = (sections: table.list.sections.count, names: 0)
    if let destination = state.groupDestination(of: table) {
      now.names = table.sectionKeys(Self.most).count { state.names[destination, $0] != nil }
    }
    if now != known {
      known = now
      if list.search.text.isEmpty {
        show(list.current?.id ?? 0, in: state)
      } else {
        searched = nil
      }
    }
    takeSearch(in: &state)
  }

  /// Goes to the section under the cursor.
  func pick(in state: inout BrowserState) {
    guard let section = list.current?.id else { return }
    state.closeOverlay()
    state.focus = .table
    state.changeTable { $0.moveCursor(toSection: section, height: $1) }
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = area(in: state.size)
    buffer.fill(area)
    let count = state.table?.list.sections.count ?? 0
    let path = GroupTitle(state.table?.groupPath ?? []).description
    Box(
      title: "Sections by \(path)", note: CountText.counted(count, "section"), isFocused: true
    ).draw(into: &buffer, in: area)
    return list.draw(into: &buffer, in: body(in: state.size))
  }
}

extension BrowserState {
  /// Shows all sections; the names of the objects that make them are read as far as they are missing.
  mutating func openSections() {
    guard let table else { return }
    open(SectionsScreen(in: self))
    guard let destination = groupDestination(of: table) else { return }
    let keys = table.sectionKeys(SectionsScreen.most)
    let missing = names.takeMissing(entity: destination, keys: keys)
    if !missing.isEmpty { request(.loadNames(entity: destination, keys: missing)) }
  }
}

extension TableState {
  /// The keys of the objects that make the first sections.
  fileprivate func sectionKeys(_ most: Int) -> [RowKey] {
    list.sections.prefix(most).compactMap { section in
      if let key = section.value.key { key } else { nil }
    }
  }
}

extension CommandScope {
  static let sections = CommandScope(
    "sections", title: "In the list of sections", traits: .picks)
}

import DatastoreCore
import TerminalUI

/// All sections with the number of their rows, to go to one of them; typing narrows them down.
struct SectionsScreen: PickListOverlay {
  var scope: CommandScope { .sections }
  var list: PickList<Int>
  /// The sections and their names that were known when the list was made.
  private var known = (sections: 0, names: 0)
  /// Names of related objects that are asked for at once.
  fileprivate static let most = 5000

  init(in state: BrowserState) {
    list = PickList(Self.items(in: state))
    if let table = state.table {
      known.sections = table.list.sections.count
      list.select(table.lines.section(ofLine: table.scroll.cursor))
    }
  }

  private static func items(in state: BrowserState) -> [PickList<Int>.Item] {
    guard let table = state.table else { return [] }
    let marks = Marks(.unicode)
    let surroundings = state.tableSurroundings(table, marks)
    return table.list.sections.enumerated().map { index, section in
      PickList.Item(
        index, text: table.sectionName(section.value, surroundings, marks),
        note: CountText.grouped(section.count), role: .sectionHeader)
    }
  }

  func area(in size: Size) -> Rectangle {
    Rectangle(size).centred(
      Size(columns: min(size.columns - 4, 64), rows: min(size.rows - 4, list.count + 3)))
  }

  func body(in size: Size) -> Rectangle { area(in: size).inset(horizontal: 1, vertical: 1) }

  /// The sections that have been read since, and the names of the objects that make them, when objects do.
  mutating func demands(in state: BrowserState) -> [Effect] {
    guard let table = state.table else { return [] }
    var now = (sections: table.list.sections.count, names: 0)
    if let destination = state.groupDestination(of: table) {
      now.names = table.sectionKeys(Self.most).count { state.names[destination, $0] != nil }
    }
    if now != known {
      known = now
      list.setItems(Self.items(in: state))
    }
    return []
  }

  /// Goes to the section under the cursor.
  func pick(in state: inout BrowserState) -> [Effect] {
    guard let section = list.current?.id else { return [] }
    state.closeOverlay()
    state.focus = .table
    state.changeTable { $0.moveCursor(toSection: section, height: $1) }
    return []
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
  mutating func openSections() -> [Effect] {
    guard let table else { return [] }
    open(SectionsScreen(in: self))
    guard let destination = groupDestination(of: table) else { return [] }
    let keys = table.sectionKeys(SectionsScreen.most)
    let missing = names.takeMissing(entity: destination, keys: keys)
    return missing.isEmpty ? [] : [.loadNames(entity: destination, keys: missing)]
  }
}

extension TableState {
  /// The keys of the objects that make the first sections.
  fileprivate func sectionKeys(_ most: Int) -> [Int64] {
    list.sections.prefix(most).compactMap { section in
      if case .integer(let key) = section.value { key } else { nil }
    }
  }
}

extension CommandScope {
  static let sections = CommandScope("sections", title: "In the list of sections")
}

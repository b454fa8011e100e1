import Basics
import DatastoreCore
import TerminalUI

/// The table's status in words, and the surroundings for drawing it.
extension BrowserState {
  func statusText(_ marks: Marks) -> String {
    guard let table, let entity else { return storeName }
    var parts = (isStoreSilent ? ["no answer…"] : []) + [entity.name]
    switch table.phase {
    case .failed: parts.append("could not be read")
    case .reading:
      parts.append(table.list.keys.isEmpty ? "reading…" : "\(rowCount(table)), reading…")
    case .stopped: parts.append("\(rowCount(table)), reading was stopped")
    case .ready: parts.append(rowCount(table))
    }
    if table.isGrouped, let count = table.sectionCount {
      parts.append(CountText.counted(count, "section"))
    }
    if let path = table.query.groupBy { parts.append("grouped by \(GroupTitle(path))") }
    if let order = table.query.sectionOrder, table.query.groupBy != nil {
      let what = order.column.map { "the total of \($0)" } ?? "rows"
      parts.append("sections by \(what) \(order.ascending ? marks.ascending : marks.descending)")
    }
    if !table.query.order.isEmpty {
      let keys = table.query.order.map { key in
        let mark = key.ascending ? marks.ascending : marks.descending
        if key.isRank(of: entity) { return key.ascending ? "relevance" : "relevance \(mark)" }
        return (key.keyPath?.joined(separator: ".") ?? key.operand.description) + " " + mark
      }
      parts.append("sorted by \(keys.joined(separator: ", "))")
    }
    if table.isGrouped, let column = table.sparkColumn {
      parts.append(sparkNote(table, column))
    }
    let selected = editing.selection.count(in: table.query, rows: table.list.keys.count)
    if selected > 0 { parts.append("\(CountText.grouped(selected)) selected") }
    if table.query.filter != nil { parts.append("where \(table.query.filterText)") }
    if let search = table.search {
      if search.isRunning {
        parts.append("searching “\(search.text)”…")
      } else if let count = search.count(at: table.currentRow) {
        parts.append("\(search.text.words == nil ? "" : "words ")“\(search.text)” \(count)")
      }
    }
    switch entities.kinds[entity.index] {
    case .table, .view, .virtual: break
    case let kind: parts.append(kind.rawValue)
    }
    if entity.isReadOnly { parts.append("read-only") }
    if let note = derivedTable?.note { parts.append(note) }
    return parts.joined(separator: marks.separator)
  }

  /// The column of the sparklines, and the range of their intervals.
  private func sparkNote(_ table: TableState, _ column: TableColumn) -> String {
    guard let scale = table.sparks.scale, let format = column.format else {
      return "distribution of \(column.name)"
    }
    let ends = [scale.minimum, scale.maximum].map { format.shown($0) }
    return "\(column.name) from \(ends[0]) to \(ends[1])"
  }

  private func rowCount(_ table: TableState) -> String {
    table.rowTotal.map { CountText.counted($0, "row") }
      ?? "first \(CountText.counted(table.list.keys.count, "row"))"
  }

  /// The state outside the table that drawing it needs.
  func tableSurroundings(_ table: TableState, _ marks: Marks) -> TableSurroundings {
    // Looked up once, not for each row.
    let editing = editing
    let query = table.query
    let title = breadcrumb(marks)
    return TableSurroundings(
      name: { names[$0, $1] }, breadcrumb: title,
      // The last part of a way is the newest; the first part of a derived table's title matters most.
      titleTruncation: derivedTable == nil ? .head : .tail,
      tabs: tabTitle(beside: title), isFocused: scope == .table,
      groupFormat: groupFormat(of: table), marks: { editing.rowMarks($0, in: query) })
  }

  /// The open tabs, with the current one in brackets; empty if it is the only one. Those of a derived table
  /// give way to its title, which says what its rows are of.
  private func tabTitle(beside title: String) -> String {
    let tabs = tabs
    guard !tabs.others.isEmpty else {
      guard let text = derivedTable?.tabs?.text else { return "" }
      let borders = 9
      return title.displayWidth() + text.displayWidth() + borders <= layout.table.columns
        ? text : ""
    }
    return tabs.numbers.map { $0 == tabs.current ? "[\($0)]" : "\($0)" }.joined(separator: " ")
  }

  private func breadcrumb(_ marks: Marks) -> String {
    let start = history.lastIndex(where: \.endsWay).map { $0 + 1 } ?? 0
    var crumbs = history[start...].map(\.table.title) + [table?.title ?? ""]
    if let derivedTable { crumbs[0] = derivedTable.title }
    return crumbs.joined(separator: marks.crumb)
  }
}

import DatastoreCore
import TerminalUI

/// Showing the state. Nothing here changes it.
extension BrowserState {
  /// Draws the whole screen and returns where the terminal's cursor belongs; nil hides it.
  func draw(into buffer: inout ScreenBuffer) -> Position? {
    let layout = layout
    guard !layout.isTooSmall else {
      drawTooSmall(into: &buffer)
      return nil
    }
    let marks = Marks(buffer.glyphs)
    entities.draw(
      into: &buffer, in: layout.entities, title: storeName, shown: table?.query.entity,
      isFocused: scope == .entities)
    if let table {
      table.draw(
        into: &buffer, layout: layout, surroundings: tableSurroundings(table, marks))
    } else {
      Box(title: "").draw(into: &buffer, in: layout.table)
      buffer.draw(
        "This file has no tables.",
        at: Position(column: layout.tableBody.left + 2, row: layout.tableBody.top),
        width: max(0, layout.tableBody.columns - 4), role: .dim, alignment: .centre)
    }
    detail.draw(
      into: &buffer, in: layout.detail, title: detailTitle, isFocused: scope == .detail,
      name: { names[$0, $1] }, marks: detail.object.flatMap { editing.marks[$0] })
    return drawFoot(into: &buffer, layout, marks)
  }

  private func drawTooSmall(into buffer: inout ScreenBuffer) {
    let sentence =
      overlays.compactMap { $0 as? Question }.last?.sentence
      ?? "The browser needs \(ScreenLayout.smallest) characters; this terminal has \(size)."
    let lines = sentence.wrapped(to: max(1, size.columns))
    let top = max(0, (size.rows - lines.count) / 2)
    for (row, line) in lines.enumerated() {
      buffer.draw(
        line, at: Position(column: 0, row: top + row), width: size.columns, role: .warning,
        alignment: .centre)
    }
  }

  private func drawFoot(
    into buffer: inout ScreenBuffer, _ layout: ScreenLayout, _ marks: Marks
  ) -> Position? {
    Toolbar(self, width: layout.toolbar.columns, isUnicode: buffer.glyphs == .unicode)
      .draw(into: &buffer, in: layout.toolbar)
    Footer(hints).draw(into: &buffer, in: layout.footer)
    drawStatus(into: &buffer, in: layout.status, marks)
    var cursor: Position?
    for overlay in overlays { cursor = overlay.draw(into: &buffer, in: self) }
    return cursor
  }

  private func drawStatus(
    into buffer: inout ScreenBuffer, in area: Rectangle, _ marks: Marks
  ) {
    if message == nil, importing.isRunning, let run = importing.run {
      return run.draw(into: &buffer, in: area)
    }
    let role = message?.role ?? .statusBar
    let text = message?.text ?? statusText(marks)
    buffer.draw(" " + text, at: area.origin, width: area.columns, role: role)
  }

  /// The state of the table in words.
  func statusText(_ marks: Marks) -> String {
    guard let table, let entity else { return storeName }
    var parts = [entity.name]
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
    if !table.query.order.isEmpty {
      let keys = table.query.order.map { key in
        let mark = key.ascending ? marks.ascending : marks.descending
        return (key.keyPath?.joined(separator: ".") ?? key.operand.description) + " " + mark
      }
      parts.append("sorted by \(keys.joined(separator: ", "))")
    }
    if table.isGrouped, let column = table.sparkColumn {
      parts.append(sparkNote(table, column, marks))
    }
    let selected = editing.selection.count(in: table.query, rows: table.list.keys.count)
    if selected > 0 { parts.append("\(CountText.grouped(selected)) selected") }
    if table.query.filter != nil { parts.append("where \(table.query.filterText)") }
    if let search = table.search, search.isRunning {
      parts.append("searching “\(search.text)”…")
    }
    if entity.isReadOnly { parts.append("read-only") }
    return parts.joined(separator: marks.separator)
  }

  /// What the sparklines are of, and from where to where they reach.
  private func sparkNote(_ table: TableState, _ column: TableColumn, _ marks: Marks) -> String {
    guard let scale = table.sparks.scale, let format = column.format else {
      return "spread of \(column.name)"
    }
    let ends = [scale.minimum, scale.maximum].map { SummaryState.shown($0, format) }
    return "\(column.name) from \(ends[0]) to \(ends[1])"
  }

  private func rowCount(_ table: TableState) -> String {
    table.rowTotal.map { CountText.counted($0, "row") }
      ?? "first \(CountText.counted(table.list.keys.count, "row"))"
  }

  /// What the table needs of the rest of the browser to be drawn.
  func tableSurroundings(_ table: TableState, _ marks: Marks) -> TableSurroundings {
    TableSurroundings(
      name: { names[$0, $1] }, breadcrumb: breadcrumb(marks), isFocused: scope == .table,
      groupFormat: groupFormat(of: table), marks: { rowMarks(entity: table.query.entity, $0) })
  }

  private func breadcrumb(_ marks: Marks) -> String {
    (history.map(\.table.title) + [table?.title ?? ""]).joined(separator: marks.crumb)
  }

  private var detailTitle: String {
    guard let object = detail.object else { return "Details" }
    let name = currentName(of: object)
    let entity = detail.snapshot?.entityName ?? schema.entities[object.entity].name
    return name.hasPrefix(entity) ? name : "\(entity) \(name)"
  }

  /// The keys that work here, the most telling ones first.
  private var hints: [Footer.Hint] {
    keymap.commands.hinted(in: scope)
      .filter { $0.reasonDisabled(self) == nil }
      .compactMap { command in
        keymap.hint(of: command).map { Footer.Hint(key: $0, label: command.label) }
      }
  }
}

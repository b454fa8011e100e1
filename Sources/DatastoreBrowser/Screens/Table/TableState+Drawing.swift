import DatastoreCore
import TerminalUI

/// What the table needs from elsewhere to be drawn.
struct TableSurroundings {
  /// The names of related objects, by entity and key; nil while they are not known.
  var name: (_ entity: Int, _ key: Int64) -> NameCache.Entry?
  var breadcrumb: String
  var isFocused: Bool
  var groupFormat: GroupFormat?
  /// What is staged for a row, and whether it is selected.
  var marks: (_ key: Int64) -> RowMarks = { _ in RowMarks() }
}

/// How the value that makes a section is shown.
enum GroupFormat: Hashable, Sendable {
  case attribute(ValueFormat)
  case object(entity: Int)
}

extension TableState {
  static let spacing = 2

  /// The widths of all columns on a table of so many cells: what the content needs, but no column
  /// so wide that it pushes the others off the screen.
  func columnWidths(available: Int) -> [Int] {
    let demands = columns.enumerated().map { index, column in
      let header = column.name.displayWidth(upTo: Self.widestColumn) + 2
      let content = max(contentWidths[index], header)
      return ColumnLayout.Demand(
        content: content, minimum: min(content, 14), maximum: Self.widestColumn)
    }
    return ColumnLayout.widths(demands, available: available, spacing: Self.spacing)
  }

  /// The columns on the screen.
  func placements(available: Int) -> [ColumnLayout.Placement] {
    ColumnLayout.placements(
      widths: columnWidths(available: available), available: available,
      spacing: Self.spacing, first: firstColumn)
  }

  /// Scrolls sideways so that the column under the cursor is visible.
  mutating func settleColumns(available: Int) {
    column = min(max(0, column), max(0, columns.count - 1))
    firstColumn = ColumnLayout.firstVisible(
      cursor: column, widths: columnWidths(available: available), available: available,
      spacing: Self.spacing, previous: firstColumn)
  }

  /// Draws the table with its border.
  func draw(
    into buffer: inout ScreenBuffer, layout: ScreenLayout, surroundings: TableSurroundings
  ) {
    let header = layout.tableHeader
    let body = layout.tableBody
    let placements = placements(available: body.columns)
    let notes = [columnNote(placements), positionNote].filter { !$0.isEmpty }
    Box(
      title: surroundings.breadcrumb, note: notes.joined(separator: Marks(buffer.glyphs).separator),
      isFocused: surroundings.isFocused
    ).draw(into: &buffer, in: layout.table)
    drawHeader(into: &buffer, in: header, placements, surroundings)
    if let message = emptyMessage {
      drawMessage(message, into: &buffer, in: body)
      return
    }
    let visible = scroll.visible(count: lines.count, height: body.rows)
    for (offset, line) in visible.enumerated() {
      let area = Rectangle(
        column: body.left, row: body.top + offset, columns: body.columns, rows: 1)
      switch lines[line] {
      case .header(let section): drawSection(section, into: &buffer, in: area, surroundings)
      case .row(let index):
        drawRow(list.keys[index], into: &buffer, in: area, placements, surroundings)
      case nil: continue
      }
      if line == scroll.cursor {
        buffer.highlight(
          area, as: surroundings.isFocused ? .selection : .selectionInactive)
      }
    }
    Scrollbar(count: lines.count, visible: visible).draw(
      into: &buffer,
      in: Rectangle(
        column: layout.table.right - 1, row: body.top, columns: 1, rows: body.rows))
  }

  /// Which of how many rows the cursor is on.
  var positionNote: String {
    guard !list.keys.isEmpty else { return "" }
    let total = CountText.grouped(list.keys.count) + (isComplete ? "" : "+")
    guard case .row(let index) = currentLine else { return "\(total) rows" }
    return "\(CountText.grouped(index + 1)) of \(total)"
  }

  /// Which of how many columns are visible; empty when all are.
  private func columnNote(_ placements: [ColumnLayout.Placement]) -> String {
    guard let first = placements.first, let last = placements.last,
      placements.count < columns.count
    else { return "" }
    return "columns \(first.index + 1)-\(last.index + 1) of \(columns.count)"
  }

  /// What stands in the place of rows.
  private var emptyMessage: (text: String, role: StyleRole)? {
    if case .failed(let reason) = phase { return (reason, .error) }
    guard list.keys.isEmpty else { return nil }
    if phase == .reading { return ("reading…", .dim) }
    if phase == .stopped { return ("Reading was stopped. Press r to read again.", .dim) }
    if query.filter != nil { return ("No rows match the filter.", .dim) }
    return ("There are no rows.", .dim)
  }

  private func drawMessage(
    _ message: (text: String, role: StyleRole), into buffer: inout ScreenBuffer,
    in area: Rectangle
  ) {
    let lines = message.text.wrapped(to: max(1, area.columns - 4)).prefix(area.rows)
    let top = area.top + max(0, (area.rows - lines.count) / 3)
    for (offset, line) in lines.enumerated() {
      buffer.draw(
        line, at: Position(column: area.left + 2, row: top + offset),
        width: max(0, area.columns - 4), role: message.role, alignment: .centre)
    }
  }
}

extension TableState {
  private func drawHeader(
    into buffer: inout ScreenBuffer, in area: Rectangle,
    _ placements: [ColumnLayout.Placement], _ surroundings: TableSurroundings
  ) {
    let marks = Marks(buffer.glyphs)
    buffer.draw("", at: area.origin, width: area.columns, role: .columnHeader)
    for placement in placements {
      let column = columns[placement.index]
      let position = Position(column: area.left + placement.offset, row: area.top)
      let isCurrent = placement.index == self.column && surroundings.isFocused
      let mark = query.order.first { $0.keyPath.first == column.name }.map {
        $0.ascending ? marks.ascending : marks.descending
      }
      let width = placement.width
      let nameWidth = mark == nil ? width : max(0, width - 2)
      let used = buffer.draw(
        column.name, at: position, width: nameWidth, role: .columnHeader,
        alignment: column.isTrailing ? .trailing : .leading)
      if let mark {
        let gap = column.isTrailing ? nameWidth : min(used, nameWidth)
        buffer.draw(
          mark, at: Position(column: position.column + gap + 1, row: area.top), width: 1,
          role: .columnHeader)
      }
      if isCurrent {
        buffer.highlight(
          Rectangle(column: position.column, row: area.top, columns: width, rows: 1),
          as: .selection)
      }
    }
  }

  private func drawRow(
    _ key: Int64, into buffer: inout ScreenBuffer, in area: Rectangle,
    _ placements: [ColumnLayout.Placement], _ surroundings: TableSurroundings
  ) {
    let marks = Marks(buffer.glyphs)
    guard let row = rows[key] else {
      for placement in placements {
        buffer.draw(
          marks.unread, at: Position(column: area.left + placement.offset, row: area.top),
          width: placement.width, role: .dim)
      }
      return
    }
    for placement in placements {
      let cell = shown(
        row.cells[placement.index], column: columns[placement.index], marks: marks,
        surroundings)
      buffer.draw(
        cell.text, at: Position(column: area.left + placement.offset, row: area.top),
        width: placement.width, role: cell.role,
        alignment: cell.isTrailing ? .trailing : .leading)
    }
    drawMarks(surroundings.marks(key), into: &buffer, in: area, placements)
  }

  private func shown(
    _ cell: CellContent, column: TableColumn, marks: Marks, _ surroundings: TableSurroundings
  ) -> CellContent {
    var cell = cell
    switch cell.kind {
    case .value: break
    case .null: cell.text = marks.null
    case .emptyText: cell.text = marks.emptyText
    case .reference(let key):
      guard let destination = column.destination,
        let entry = surroundings.name(destination, key)
      else { break }
      (cell.text, cell.role) = entry.shown(key: key)
    }
    return cell
  }

  private func drawSection(
    _ section: Int, into buffer: inout ScreenBuffer, in area: Rectangle,
    _ surroundings: TableSurroundings
  ) {
    let marks = Marks(buffer.glyphs)
    let entry = list.sections[section]
    let mark = lines.isCollapsed(section) ? marks.collapsed : marks.expanded
    let isLast = section == list.sections.count - 1
    let count = CountText.grouped(entry.count) + (isLast && !isComplete ? "+" : "")
    let used = buffer.draw(
      "\(mark) \(sectionName(entry.value, surroundings, marks))", at: area.origin,
      width: max(0, area.columns - count.count - 3), role: .sectionHeader)
    buffer.draw(
      "(\(count))", at: Position(column: area.left + used + 1, row: area.top), role: .dim)
  }

  private func sectionName(
    _ value: Value, _ surroundings: TableSurroundings, _ marks: Marks
  ) -> String {
    let name = groupPath?.joined(separator: ".") ?? ""
    if value.isNull { return "\(marks.null) no \(name)" }
    switch (surroundings.groupFormat, value) {
    case (.object(let entity), .integer(let key)):
      return surroundings.name(entity, key)?.shown(key: key).text
        ?? DisplayName.placeholder(key: key)
    case (.attribute(let format), _):
      let cell = format.cell(value)
      return cell.kind == .emptyText ? marks.emptyText : cell.text
    default: return ValueFormat(type: .undefined).cell(value).text
    }
  }
}

import Basics
import DatastoreCore
import TerminalUI

/// The state outside the table that drawing it needs.
struct TableSurroundings {
  /// The names of related objects, by entity and key; nil while unknown.
  var name: (_ entity: EntityIndex, _ key: RowKey) -> NameCache.Entry?
  var breadcrumb: String
  /// Which end of the breadcrumb is cut if it does not fit.
  var titleTruncation = Truncation.head
  /// The numbers of the tabs, if there are several.
  var tabs = ""
  var isFocused: Bool
  var groupFormat: GroupFormat?
  /// The marks of a row: its staged changes, and whether it is selected.
  var marks: (_ key: RowKey) -> RowMarks = { _ in RowMarks() }
}

/// The format of the values that sections are grouped by.
enum GroupFormat: Hashable, Sendable {
  case attribute(ValueFormat)
  case object(entity: EntityIndex)
}

extension TableState {
  func draw(
    into buffer: inout ScreenBuffer, layout: ScreenLayout, surroundings: TableSurroundings
  ) {
    guard !layout.table.isEmpty else { return }
    let header = layout.tableHeader
    let body = layout.tableBody
    let placements = placements(available: body.columns)
    let frozenLine = frozenLine(placements, available: body.columns)
    let notes = notes(placements)
    _ = layout.drawFrame(
      Box(
        title: surroundings.breadcrumb, trailingTitle: surroundings.tabs,
        note: notes.joined(separator: Marks(buffer.glyphs).separator),
        isFocused: surroundings.isFocused, titleTruncation: surroundings.titleTruncation),
      into: &buffer, in: layout.table)
    if !header.isEmpty {
      drawHeader(into: &buffer, in: header, placements, surroundings)
      drawFrozenLine(frozenLine, into: &buffer, in: header)
    }
    if let message = emptyMessage {
      drawMessage(message, into: &buffer, in: body)
      return
    }
    drawLines(placements, frozenLine, into: &buffer, in: body, surroundings)
    let footer = layout.tableTotals
    if !footer.isEmpty {
      drawTotals(into: &buffer, in: footer, placements)
      drawFrozenLine(frozenLine, into: &buffer, in: footer)
    }
    let visible = scroll.visible(count: lines.count, height: body.rows)
    Scrollbar(count: lines.count, visible: visible).draw(
      into: &buffer, beside: body, column: layout.table.right - 1)
  }

  private func drawLines(
    _ placements: [ColumnLayout.Placement], _ frozenLine: Int?, into buffer: inout ScreenBuffer,
    in body: Rectangle, _ surroundings: TableSurroundings
  ) {
    let visible = scroll.visible(count: lines.count, height: body.rows)
    for (offset, line) in visible.enumerated() {
      let area = body.row(offset)
      if offset == 0, let section = stickySection(height: body.rows) {
        drawSection(section, into: &buffer, in: area, placements, surroundings)
        continue
      }
      switch lines[line] {
      case .header(let section):
        drawSection(section, into: &buffer, in: area, placements, surroundings)
      case .row(let index):
        drawRow(list.keys.readKey(at: index), into: &buffer, in: area, placements, surroundings)
        drawFrozenLine(frozenLine, into: &buffer, in: area)
      case nil: continue
      }
      if line == scroll.cursor {
        buffer.highlight(
          area, as: surroundings.isFocused ? .selection : .selectionInactive)
        if surroundings.isFocused, case .row = lines[line] {
          highlightCell(placements, into: &buffer, in: area)
        }
      }
    }
  }

  /// Highlights the cell that commands act on.
  private func highlightCell(
    _ placements: [ColumnLayout.Placement], into buffer: inout ScreenBuffer, in line: Rectangle
  ) {
    guard let place = placements.first(where: { $0.index == column }) else { return }
    buffer.highlight(
      Rectangle(column: line.left + place.offset, row: line.top, columns: place.width, rows: 1)
        .intersection(line), as: .cellCursor)
  }

  /// Draws the line between the frozen columns and those that scroll.
  private func drawFrozenLine(
    _ offset: Int?, into buffer: inout ScreenBuffer, in line: Rectangle
  ) {
    guard let offset else { return }
    buffer.drawVerticalLine(
      at: Position(column: line.left + offset, row: line.top), length: 1)
  }

  /// Notes about the columns on the screen, if not all are, and about the cursor's row.
  func notes(_ placements: [ColumnLayout.Placement]) -> [String] {
    [columnNote(placements), positionNote].filter { !$0.isEmpty }
  }

  /// The number of the cursor's row out of all rows.
  var positionNote: String {
    guard !list.keys.isEmpty else { return "" }
    let total =
      rowTotal.map { CountText.grouped($0) } ?? CountText.grouped(list.keys.count) + "+"
    guard case .row(let index) = currentLine else {
      return "\(total) \(rowTotal == 1 ? "row" : "rows")"
    }
    return "\(CountText.grouped(index + 1)) of \(total)"
  }

  /// The message in place of rows.
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

  private func drawHeader(
    into buffer: inout ScreenBuffer, in area: Rectangle,
    _ placements: [ColumnLayout.Placement], _ surroundings: TableSurroundings
  ) {
    let marks = Marks(buffer.glyphs)
    buffer.draw("", in: area, role: .columnHeader)
    for placement in placements {
      let column = columns[placement.index]
      let position = Position(column: area.left + placement.offset, row: area.top)
      let isCurrent = placement.index == self.column && surroundings.isFocused
      let mark = sortMark(of: column, marks)
      let width = placement.width
      let markWidth = mark?.displayWidth() ?? 0
      let nameWidth = mark == nil ? width : max(0, width - 1 - markWidth)
      let isTrailing = column.isTrailing && settings.pictures[column.name] == nil
      let used = buffer.draw(
        title(of: column), at: position, width: nameWidth, role: .columnHeader,
        alignment: isTrailing ? .trailing : .leading,
        // Paths differ at their ends.
        truncation: column.showsPath ? .head : .tail)
      if let mark {
        let gap = isTrailing ? nameWidth : min(used, nameWidth)
        buffer.draw(
          mark, at: Position(column: position.column + gap + 1, row: area.top),
          width: min(markWidth, max(0, width - gap - 1)), role: .columnHeader)
      }
      if isCurrent {
        buffer.highlight(
          Rectangle(column: position.column, row: area.top, columns: width, rows: 1),
          as: .selection)
      }
    }
  }

  /// - Parameter key: nil if the key has not been read.
  private func drawRow(
    _ key: RowKey?, into buffer: inout ScreenBuffer, in area: Rectangle,
    _ placements: [ColumnLayout.Placement], _ surroundings: TableSurroundings
  ) {
    let marks = Marks(buffer.glyphs)
    guard let key, let row = rows[key] else {
      for placement in placements {
        buffer.draw(
          marks.unread, at: Position(column: area.left + placement.offset, row: area.top),
          width: placement.width, role: .dim)
      }
      return
    }
    for placement in placements {
      let cell = shown(
        row.cells[placement.index], of: key, column: columns[placement.index], marks: marks,
        surroundings)
      let place = Rectangle(
        column: area.left + placement.offset, row: area.top, columns: placement.width, rows: 1)
      // If a column is too narrow to align the decimal points, the digits have priority.
      let behind = pointIndent(of: cell, column: placement.index, width: place.columns)
      buffer.draw(
        cell.text, at: place.origin, width: place.columns - behind, role: cell.role,
        alignment: cell.isTrailing ? .trailing : .leading)
      if let search, search.columns.contains(placement.index) {
        let text = Rectangle(
          column: place.left, row: place.top, columns: place.columns - behind, rows: 1)
        markMatches(of: search.text, in: cell, into: &buffer, in: text)
      }
    }
    drawMarks(surroundings.marks(key), of: key, into: &buffer, in: area, placements)
  }

  /// The blank cells after a number that align its decimal point with those of the other rows.
  private func pointIndent(of cell: CellContent, column: Int, width: Int) -> Int {
    guard cell.isTrailing, cell.role == .number, numberWidths[column].fraction > 0 else { return 0 }
    let missing = numberWidths[column].fraction - NumberText.fraction(cell.text)
    return missing > 0 && cell.text.displayWidth(upTo: width + 1) + missing <= width ? missing : 0
  }

  /// Highlights the matches of a search in a cell.
  private func markMatches(
    of search: SearchText, in cell: CellContent, into buffer: inout ScreenBuffer,
    in place: Rectangle
  ) {
    // A number in a shortened form may not contain the match.
    if cell.truncation == .number, cell.text.displayWidth(upTo: place.columns + 1) > place.columns {
      let isFound = !search.matches(in: cell.text, width: CellContent.limit).isEmpty
      if isFound { buffer.restyle(place, role: .match) }
      return
    }
    let matches = search.matches(in: cell.text, width: place.columns)
    guard !matches.isEmpty else { return }
    let spare = place.columns - cell.text.displayWidth(upTo: place.columns)
    let start = place.left + (cell.isTrailing ? max(0, spare) : 0)
    for match in matches {
      let area = Rectangle(
        column: start + match.lowerBound, row: place.top, columns: match.count, rows: 1)
      buffer.restyle(area.intersection(place), role: .match)
    }
  }

  /// The current content of a cell, with the name of a referenced object or the number of members.
  func shown(
    _ cell: CellContent, of key: RowKey, column: TableColumn, marks: Marks,
    _ surroundings: TableSurroundings
  ) -> CellContent {
    var cell = cell
    if column.isToMany, let slot = column.slot {
      let count = counts.count(slot: slot, key: key)
      cell.text = count.map(CountText.grouped) ?? marks.unread
      cell.role = count == nil || count == 0 ? .dim : .number
      return cell
    }
    switch cell.kind {
    case .value where settings.pictures[column.name] != nil:
      cell.text = settings.pictures[column.name]?.text(of: cell.text, marks.glyphs) ?? ""
      (cell.role, cell.isTrailing) = (.progress, false)
    case .value:
      if cell.role == .number, let format = settings.numbers[column.name] {
        cell.text = format.text(of: cell.text)
      }
    case .null: cell.text = marks.null
    case .emptyText: cell.text = marks.emptyText
    case .reference(let key):
      guard let destination = column.destination,
        let entry = surroundings.name(destination, key)
      else { break }
      (cell.text, cell.role) = entry.shown
    }
    return cell
  }

  private func drawSection(
    _ section: Int, into buffer: inout ScreenBuffer, in area: Rectangle,
    _ placements: [ColumnLayout.Placement], _ surroundings: TableSurroundings
  ) {
    let marks = Marks(buffer.glyphs)
    let entry = list.sections[section]
    let mark = lines.isCollapsed(section) ? marks.collapsed : marks.expanded
    let count = countText(ofSection: section)
    let spark = sparkline(of: entry.value, buffer.glyphs, width: area.columns)
    let showsTotals = !totals.measures.isEmpty && spark.isEmpty
    let room =
      showsTotals
      ? roomBesideTotals(of: entry.value, in: area.columns, placements, buffer.glyphs)
      : area.columns - (spark.isEmpty ? 0 : spark.displayWidth() + 1)
    let used = buffer.draw(
      "\(mark) \(sectionName(entry.value, surroundings, marks))", at: area.origin,
      width: max(0, room - count.count - 3), role: .sectionHeader)
    buffer.draw(
      "(\(count))", at: Position(column: area.left + used + 1, row: area.top), role: .dim)
    if showsTotals {
      drawTotals(
        of: entry.value, into: &buffer, in: area, placements, after: used + count.count + 4)
    }
    buffer.draw(
      spark, at: Position(column: area.right - spark.displayWidth(), row: area.top),
      role: .progress)
  }

  /// The sparkline at the right end of a section's header, with the name of its column if there is room;
  /// empty without a sparkline.
  private func sparkline(of section: Value, _ glyphs: GlyphSet, width: Int) -> String {
    guard let column = sparkColumn, let counts = sparks.counts(of: section), !counts.isEmpty else {
      return ""
    }
    let line = Sparkline.text(counts, glyphs: glyphs)
    let named = "\(column.name) \(line)"
    return named.displayWidth() <= width / 2 ? named : line.count <= width / 2 ? line : ""
  }

  func sectionName(
    _ value: Value, _ surroundings: TableSurroundings, _ marks: Marks
  ) -> String {
    SectionNaming(path: groupPath, format: surroundings.groupFormat, marks: marks)
      .name(of: value, surroundings.name)
  }
}

/// Names sections by their values.
struct SectionNaming: Sendable {
  private let path: String
  private let format: GroupFormat?
  private let steps: NumberSteps?
  private let marks: Marks

  init(path: [String]?, format: GroupFormat?, marks: Marks) {
    self.path = GroupTitle(path ?? []).path
    steps = NumberSteps(path ?? [])
    self.format = format
    self.marks = marks
  }

  /// - Parameter object: returns the name of an object that is a group key.
  func name(
    of value: Value, _ object: (_ entity: EntityIndex, _ key: RowKey) -> NameCache.Entry?
  ) -> String {
    if value.isNull { return "\(marks.null) no \(path)" }
    if let range = steps?.range(from: value) { return range }
    switch (format, value) {
    case (.object(let entity), .integer(let number)):
      let key = RowKey(number)
      return object(entity, key)?.shown.text ?? DisplayName.placeholder(key: key)
    case (.attribute(let format), _):
      let cell = format.cell(value)
      return cell.kind == .emptyText ? marks.emptyText : cell.text
    default: return ValueFormat(type: .undefined).cell(value).text
    }
  }
}

import Basics
import DatastoreCore
import TerminalUI

extension OverviewScreen {
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: buffer.size)
    buffer.fill(area)
    let complete = completeCount
    let note =
      complete < request.columns.count
      ? "\(complete) of \(CountText.counted(request.columns.count, "column")), esc stops"
      : "esc closes"
    let name = state.schema.entities[request.query.entity].name
    let inside = Box(title: "Columns of \(name)", note: note, isFocused: true)
      .draw(into: &buffer, in: area).inset(horizontal: 1)
    let (top, _) = inside.split(top: 2)
    buffer.draw(
      about(state), at: top.origin, width: top.columns, role: .dim)
    let layout = FactLayout(
      inside, names: request.columns.map(\.column.name), fact: fact)
    layout.drawHeader(
      into: &buffer, at: Position(column: top.left, row: top.top + 1), columns: top.columns)
    drawLines(into: &buffer, in: state) { line, buffer, place in
      draw(line, layout, into: &buffer, in: place, state)
    }
    return nil
  }

  private func about(_ state: BrowserState) -> String {
    if let failure = request.columns.lazy.compactMap({ (index, column) -> String? in
      guard case .failure(let failure)? = results[index] else { return nil }
      return "\(column.name): \(failure.message)"
    }).first {
      return failure
    }
    let rows = request.query.filter == nil ? "all rows" : "the rows of the filter"
    guard !partial.isEmpty else { return rows + "; enter shows the rows of the marked fact" }
    return
      "the first \(CountText.grouped(request.sample.count)) rows where columns are dim, \(rows) "
      + "are being read…"
  }

  private func draw(
    _ line: Int, _ layout: FactLayout, into buffer: inout ScreenBuffer, in place: Rectangle,
    _ state: BrowserState
  ) {
    let (index, column) = request.columns[line]
    buffer.draw(column.name, at: place.origin, width: layout.nameWidth, role: .columnHeader)
    guard let overview = try? results[index]?.get() else {
      buffer.draw(
        Marks(buffer.glyphs).unread,
        at: Position(column: place.left + layout.nameWidth + 2, row: place.top), width: 1,
        role: .dim)
      return
    }
    for (fact, offset, width) in layout.facts {
      var cell = cell(fact, of: overview, column, state, buffer.glyphs)
      let truncation = cell.truncation
      if partial.contains(index) { cell.role = .dim }
      let start = Position(column: place.left + offset, row: place.top)
      let share = share(fact, of: overview)
      buffer.draw(
        share, at: Position(column: start.column + width - share.count, row: start.row),
        width: share.count, role: .dim)
      buffer.draw(
        cell.text, at: start, width: width - (share.isEmpty ? 0 : share.count + 1), role: cell.role,
        alignment: cell.isTrailing ? .trailing : .leading, truncation: truncation)
      if fact == self.fact, line == scroll.cursor {
        buffer.highlight(
          Rectangle(column: start.column, row: start.row, columns: width, rows: 1),
          as: .cellCursor)
      }
    }
  }

  /// How many of the rows have the most frequent value.
  private func share(_ fact: ColumnOverview.Fact, of overview: ColumnOverview) -> String {
    guard fact == .mostFrequent, let entry = overview.mostFrequent,
      entry.count > 1 || overview.rows == 1
    else { return "" }
    return SummaryState.percent(Double(entry.count) / Double(max(1, overview.rows)))
  }

  /// What a fact shows.
  func cell(
    _ fact: ColumnOverview.Fact, of overview: ColumnOverview, _ column: TableColumn,
    _ state: BrowserState, _ glyphs: GlyphSet
  ) -> CellContent {
    let marks = Marks(glyphs)
    switch fact {
    case .nulls:
      let text = overview.nulls == 0 ? "" : CountText.grouped(overview.nulls)
      return CellContent(text, role: .number, isTrailing: true)
    case .distinct:
      let isUnique = overview.distinct == overview.rows && overview.rows > 1
      return CellContent(
        isUnique ? "unique" : CountText.grouped(overview.distinct),
        role: isUnique ? .string : .number, isTrailing: true)
    case .least: return shown(overview.least, column, state, marks)
    case .greatest: return shown(overview.greatest, column, state, marks)
    case .mostFrequent:
      guard let entry = overview.mostFrequent, entry.count > 1 || overview.rows == 1 else {
        return CellContent("", role: .dim)
      }
      var cell = shown(entry.value, column, state, marks, isName: true)
      cell.isTrailing = false
      return cell
    case .distribution:
      return CellContent(
        overview.counts.map { Sparkline.text($0, glyphs: glyphs) } ?? "", role: .progress)
    }
  }

  private func shown(
    _ value: Value, _ column: TableColumn, _ state: BrowserState, _ marks: Marks,
    isName: Bool = false
  ) -> CellContent {
    if let destination = column.destination {
      // The least of objects says nothing.
      guard isName, let key = value.key else {
        return CellContent(isName ? marks.null : "", role: .dim)
      }
      let name = state.names[destination, key]?.shown
      return CellContent(
        name?.text ?? DisplayName.placeholder(key: key), role: name?.role ?? .dim)
    }
    var cell = (column.format ?? ValueFormat(type: .undefined)).cell(value)
    (cell.text, cell.role) = cell.shown(marks)
    return cell
  }
}

/// Where the facts of a line are: as many as there is room for, the one under the cursor among them.
private struct FactLayout {
  let nameWidth: Int
  let facts: [(fact: ColumnOverview.Fact, offset: Int, width: Int)]

  private static func width(_ fact: ColumnOverview.Fact, columns: Int) -> Int {
    switch fact {
    case .nulls: 9
    case .distinct: 9
    case .least, .greatest: columns >= 110 ? 19 : 12
    case .mostFrequent: columns >= 110 ? 28 : 18
    case .distribution: 16
    }
  }

  init(_ area: Rectangle, names: [String], fact: ColumnOverview.Fact) {
    let widest = names.map { $0.displayWidth(upTo: 24) }.max() ?? 0
    nameWidth = max(6, min(widest, area.columns / 4))
    let room = area.columns - nameWidth - 1
    let all = ColumnOverview.Fact.allCases
    // Facts at the left give way to the one under the cursor.
    var shown: [ColumnOverview.Fact] = []
    func needed(_ facts: [ColumnOverview.Fact]) -> Int {
      facts.reduce(0) { $0 + 2 + Self.width($1, columns: area.columns) }
    }
    for candidate in all {
      shown.append(candidate)
      while shown.count > 1, needed(shown) > room {
        if candidate.rawValue > fact.rawValue { shown.removeLast() } else { shown.removeFirst() }
      }
    }
    var offset = nameWidth + 2
    facts = shown.map { fact in
      let width = Self.width(fact, columns: area.columns)
      defer { offset += width + 2 }
      return (fact, offset, max(1, min(width, area.columns - offset)))
    }
  }

  func drawHeader(into buffer: inout ScreenBuffer, at start: Position, columns: Int) {
    buffer.draw("", at: start, width: columns, role: .columnHeader)
    buffer.draw("column", at: start, width: nameWidth, role: .columnHeader)
    for (fact, offset, width) in facts {
      let isTrailing = fact == .nulls || fact == .distinct
      buffer.draw(
        fact.title, at: Position(column: start.column + offset, row: start.row), width: width,
        role: .columnHeader, alignment: isTrailing ? .trailing : .leading)
    }
  }
}

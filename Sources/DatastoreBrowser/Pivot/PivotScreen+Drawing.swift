import Basics
import DatastoreCore
import TerminalUI

extension PivotScreen {
  private static let spacing = 2
  private static let (widestName, widestCell) = (32, 24)

  private func text(row: Int, column: Int) -> String {
    table.map { request.measure.text($0.value(row: row, column: column)) } ?? ""
  }

  private func name(ofColumn column: Int) -> String {
    guard let table, table.columns.indices.contains(column) else { return "all" }
    return table.columns[column].name
  }

  private func name(ofRow row: Int) -> String {
    guard let table, table.rows.indices.contains(row) else { return "all" }
    return table.rows[row].name
  }

  /// The lines that decide how wide columns are: those around the screen.
  private var measured: Range<Int> {
    let count = (table?.rows.count ?? -1) + 1
    return max(0, scroll.first - 50)..<min(count, scroll.first + 150)
  }

  private func width(_ column: Int) -> Int {
    let texts = measured.map { text(row: $0, column: column).displayWidth(upTo: Self.widestCell) }
    let total = text(row: table?.rows.count ?? 0, column: column)
    return max(
      name(ofColumn: column).displayWidth(upTo: Self.widestCell) + 2, texts.max() ?? 0,
      total.displayWidth(upTo: Self.widestCell))
  }

  /// The cells of the screen that a column takes.
  func room(of column: Int) -> Int { width(column) + Self.spacing }

  private var nameWidth: Int {
    let names = measured.map { name(ofRow: $0).displayWidth(upTo: Self.widestName) }
    let title = request.rows.title.displayWidth(upTo: Self.widestName) + 2
    return max(8, title, names.max() ?? 0)
  }

  /// Where the columns are, right of the names of the lines.
  func columnsArea(in state: BrowserState) -> Rectangle {
    let body = body(in: state)
    let left = min(nameWidth + Self.spacing, body.columns / 2)
    return Rectangle(
      column: body.left + left, row: body.top, columns: max(0, body.columns - left),
      rows: body.rows)
  }

  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position? {
    let area = Self.area(in: state.size)
    buffer.fill(area)
    let note = table.map {
      "\(CountText.counted($0.rows.count, "row")), \(CountText.counted($0.columns.count, "column"))"
    }
    Box(
      title: "\(request.measure.title) by \(request.rows.title) and \(request.columns.title)",
      note: note ?? "", isFocused: true
    ).draw(into: &buffer, in: area)
    let top = area.inset(horizontal: 2, vertical: 1)
    switch result {
    case nil: buffer.draw("computing…", at: top.origin, role: .dim)
    case .failure(let failure):
      for (row, text) in failure.message.wrapped(to: max(1, top.columns)).enumerated() {
        buffer.draw(
          text, at: Position(column: top.left, row: top.top + row), width: top.columns, role: .error
        )
      }
    case .success(let table): draw(table, into: &buffer, top: top, in: state)
    }
    return nil
  }

  private func draw(
    _ table: PivotTable, into buffer: inout ScreenBuffer, top: Rectangle, in state: BrowserState
  ) {
    let columns = columnsArea(in: state)
    let marks = Marks(buffer.glyphs)
    var screen = self
    screen.settle(in: state)
    buffer.draw(
      "of the rows that are saved\(request.query.filter == nil ? "" : ", where \(request.query.filterText)")",
      at: top.origin, width: top.columns, role: .dim)
    let header = top.top + 1
    buffer.draw(
      "", at: Position(column: top.left, row: header), width: top.columns, role: .columnHeader)
    let place = Position(column: top.left, row: header)
    let mark = Self.mark(table.columnOrder, isAt: table.rows.count, marks)
    buffer.draw(
      request.rows.title + mark, at: place, width: columns.left - top.left - Self.spacing,
      role: .columnHeader)
    var placed: [(column: Int, left: Int, width: Int)] = []
    var left = columns.left
    for column in screen.firstColumn..<columnCount where left < columns.right {
      let width = min(width(column), columns.right - left)
      placed.append((column, left, width))
      let mark = Self.mark(table.rowOrder, isAt: column, marks)
      buffer.draw(
        name(ofColumn: column) + mark, at: Position(column: left, row: header), width: width,
        role: .columnHeader, alignment: .trailing)
      left += width + Self.spacing
    }
    drawLines(into: &buffer, in: state) { line, buffer, place in
      let isTotal = line == table.rows.count
      let mark = Self.mark(table.columnOrder, isAt: line, marks)
      buffer.draw(
        name(ofRow: line) + mark, at: place.origin, width: columns.left - place.left - Self.spacing,
        role: isTotal ? .sectionHeader : .text)
      for (column, left, width) in placed {
        let isOfAll = isTotal || column == table.columns.count
        let position = Position(column: left, row: place.top)
        buffer.draw(
          text(row: line, column: column), at: position, width: width,
          role: isOfAll ? .sectionHeader : .number, alignment: .trailing, truncation: .number)
      }
    }
    drawCursor(placed, into: &buffer, in: state)
  }

  /// Shows which cell of the line commands act on.
  private func drawCursor(
    _ placed: [(column: Int, left: Int, width: Int)], into buffer: inout ScreenBuffer,
    in state: BrowserState
  ) {
    let body = body(in: state)
    let row = body.top + scroll.cursor - scroll.first
    guard let place = placed.first(where: { $0.column == column }), row < body.bottom else {
      return
    }
    buffer.highlight(
      Rectangle(column: place.left, row: row, columns: place.width, rows: 1), as: .cellCursor)
  }

  /// How the other groups are sorted by a line or a column.
  private static func mark(_ order: PivotTable.Order, isAt place: Int, _ marks: Marks) -> String {
    guard case .cell(place, let ascending) = order else { return "" }
    return " " + (ascending ? marks.ascending : marks.descending)
  }
}

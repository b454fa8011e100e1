import DatastoreCore
import DatastoreExport
import TerminalUI

/// The rows of an answer in packed pages, and what of them is on the screen.
struct SQLResult: Sendable {
  /// What was asked.
  let sql: String
  private(set) var columns: [ExportColumn] = []
  /// The same as they were read.
  private var readColumns: [AnswerColumn] = []
  private(set) var pages = AnswerPages()
  /// Whether all rows are there.
  private(set) var isWhole = false
  /// Why there are no more rows, when not all are there.
  private(set) var ending = ""
  private(set) var scroll = ScrollState()
  private(set) var column = 0
  private var firstColumn = 0
  private var widths: [Int] = []
  /// Those of the widest numbers, which have room before texts.
  private var widestNumbers: [Int] = []
  /// The rows on the screen as they are drawn.
  private var shown: [Int: [CellContent]] = [:]

  /// More is not kept: it can be written to a file.
  static let mostRows = 2_000_000
  static let mostBytes = 64 << 20
  private static let format = ValueFormat(type: .undefined)

  init(sql: String) {
    self.sql = sql
  }

  /// How many rows there are so far.
  var count: Int { pages.count }

  mutating func begin(_ columns: [AnswerColumn]) {
    readColumns = columns
    self.columns = columns.map { ExportColumn(name: $0.name, type: .undefined) }
    widths = columns.map { $0.name.displayWidth(upTo: TableState.widestColumn) }
    widestNumbers = columns.map { _ in 0 }
  }

  mutating func apply(_ page: RowPage) {
    pages.append(page)
  }

  /// - Parameter ending: why there are no more; nil when all are there.
  mutating func end(_ ending: String?) {
    isWhole = ending == nil
    self.ending = ending ?? ""
  }

  /// The value of a cell; nil where there is none.
  func value(row: Int, column: Int) -> Value? {
    guard columns.indices.contains(column), let (page, row) = pages.place(of: row) else {
      return nil
    }
    return page.value(row: row, column: column)
  }

  /// A cell as the table shows it, without reading more of a long value than is shown.
  private static func cell(_ page: RowPage, row: Int, column: Int) -> CellContent {
    switch page.tag(row: row, column: column) {
    case .null, .integer, .real: return format.cell(page.value(row: row, column: column))
    case .text:
      let bytes = page.bytes(row: row, column: column)
      let most = 4 * CellContent.limit
      let beginning = UnsafeBufferPointer(rebasing: bytes.prefix(most + 1))
      return format.cell(.text(String(decoding: beginning, as: UTF8.self)))
    case .blob: return format.cell(page.value(row: row, column: column))
    }
  }

  /// The cells of a row that is on the screen.
  func cells(of row: Int) -> [CellContent]? { shown[row] }

  /// Fits itself into a space, and makes the cells that are on the screen.
  mutating func settle(height: Int, width: Int) {
    scroll.settle(count: count, height: height)
    let visible = scroll.visible(count: count, height: height)
    if shown.count > 40 * max(height, 10) { shown = [:] }
    for row in visible where shown[row] == nil {
      guard let (page, index) = pages.place(of: row) else { continue }
      let cells = columns.indices.map { Self.cell(page, row: index, column: $0) }
      for (column, cell) in cells.enumerated() {
        let width = max(cell.text.displayWidth(upTo: TableState.widestColumn), 4)
        widths[column] = max(widths[column], width)
        if cell.role == .number { widestNumbers[column] = max(widestNumbers[column], width) }
      }
      shown[row] = cells
    }
    guard !columns.isEmpty else { return }
    column = min(max(0, column), columns.count - 1)
    firstColumn = ColumnLayout.firstVisible(
      cursor: column, widths: columnWidths(width), available: width, spacing: TableState.spacing,
      previous: min(firstColumn, columns.count - 1))
  }

  private func columnWidths(_ available: Int) -> [Int] {
    ColumnLayout.widths(
      zip(widths, widestNumbers).map { width, numbers in
        ColumnLayout.Demand(
          content: width, minimum: max(min(width, 14), numbers), maximum: TableState.widestColumn)
      }, available: available, spacing: TableState.spacing)
  }

  func placements(available: Int) -> [ColumnLayout.Placement] {
    ColumnLayout.placements(
      widths: columnWidths(available), available: available, spacing: TableState.spacing,
      first: firstColumn)
  }

  mutating func move(_ movement: Movement, height: Int) {
    scroll.move(by: movement.rows(height: height), count: count, height: height)
  }

  mutating func moveColumn(by step: Int) {
    column = min(max(0, column + step), max(0, columns.count - 1))
  }

  mutating func wheel(_ lines: Int, height: Int) {
    scroll.scroll(by: lines, count: count, height: height)
  }

  /// Puts the cursor on a row and a column of the screen.
  mutating func click(line: Int, offset: Int, height: Int, width: Int) {
    guard line >= 0, scroll.first + line < count else { return }
    scroll.move(to: scroll.first + line, count: count, height: height)
    let hit = placements(available: width).last { $0.offset <= offset }
    if let hit { column = hit.index }
  }
}

extension SQLResult {
  /// What is asked to open it as a table: nothing, where all of it is here.
  var request: DerivedTable {
    var request = DerivedTable(sql)
    if isWhole { request.kept = (readColumns, pages.all) }
    request.place = (scroll.cursor, column)
    return request
  }

  var rows: AnswerRows {
    AnswerRows(sql: sql, columns: columns, pages: pages, isWhole: isWhole)
  }
}

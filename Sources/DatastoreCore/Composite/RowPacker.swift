/// Copies rows one by one to new pages.
struct RowPacker {
  private let columnCount: Int
  private var pages: [RowPage] = []
  private var page: RowPage?

  init(columnCount: Int) { self.columnCount = columnCount }

  mutating func append(_ row: RowReference) {
    let page = open()
    let place = page.appendRow(key: row.page.key(ofRow: row.row))
    for column in 0..<columnCount {
      page.copyCell(from: row.page, row: row.row, to: place, column: column)
    }
  }

  mutating func append(_ values: [Value]) {
    let page = open()
    let place = page.appendRow(key: 0)
    for (column, value) in values.enumerated() {
      page.setValue(value, row: place, column: column)
    }
  }

  /// A page with room for a row.
  mutating func open() -> RowPage {
    if let page, !page.isFull { return page }
    let next = page.map { RowPage(sealing: $0) } ?? RowPage(columnCount: columnCount)
    pages.append(next)
    page = next
    return next
  }

  mutating func finish() -> [RowPage] {
    page?.seal()
    page = nil
    return pages
  }
}

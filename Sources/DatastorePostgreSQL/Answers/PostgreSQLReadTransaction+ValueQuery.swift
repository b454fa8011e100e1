#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Foundation

/// Answers that arrive row by row.
extension PostgreSQLReadTransaction {
  /// With the values in their places, so that psql runs it unchanged.
  func sql(of query: ValueQuery) throws -> String {
    let (sql, _) = try QueryBuilder(mapping).answer(to: query, includingGenerated: true)
    return try sql.textWithValues()
  }

  func stream(
    _ statement: PostgreSQLStatement, _ row: (RowPage, Int) throws -> Void
  ) throws {
    try receive(statement) { try hand($0, on: row) }
  }

  /// Passes rows of values on as pages.
  private func hand(_ result: PostgreSQLResult, on row: (RowPage, Int) throws -> Void) throws {
    try result.forEachPage { page in
      for index in 0..<page.rowCount { try row(page, index) }
    }
    try Task.checkCancellation()
  }
}

extension PostgreSQLResult {
  /// The rows as sealed pages.
  func forEachPage(_ body: (RowPage) throws -> Void) rethrows {
    let cells = (0..<columnCount).map { ServerCell(type(ofColumn: $0)) }
    var next = 0
    while next < rowCount {
      let page = RowPage(columnCount: cells.count)
      while next < rowCount, !page.isFull {
        let index = page.appendRow(key: 0)
        for column in cells.indices where !isNull(next, column) {
          cells[column].set(bytes(next, column), page, row: index, column: column)
        }
        next += 1
      }
      page.seal()
      try body(page)
    }
  }
}
#endif

#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Foundation

/// Answers row by row.
extension PostgreSQLReadTransaction {
  func answer(
    _ query: ValueQuery, includingGenerated: Bool, begin: ([AnswerColumn]) throws -> Void,
    row: (RowPage, Int) throws -> Void
  ) throws {
    let builder = QueryBuilder(mapping)
    let entity = try builder.entity(named: query.entity)
    let (sql, columns) = try builder.answer(to: query, includingGenerated: includingGenerated)
    let statement = try PostgreSQLStatement(sql)
    try begin(columns)
    try store.reading(entity) { try step(statement, row) }
  }

  /// With the values in their places, so that psql runs it as it stands.
  func sql(of query: ValueQuery) throws -> String {
    let (sql, _) = try QueryBuilder(mapping).answer(to: query, includingGenerated: true)
    let (text, bindings) = try sql.rendered(for: PostgreSQLDialect())
    var result = text
    for (index, binding) in bindings.enumerated().reversed() {
      result = result.replacing("$\(index + 1)::", with: "\(Self.literal(binding))::")
    }
    return result
  }

  private static func literal(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): "'\(integer)'"
    case .real(let real): "'\(real)'"
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    case .blob(let data): "'\\x\(Hexadecimal.text(data))'"
    }
  }

  func answer(
    sql: String, begin: ([AnswerColumn]) throws -> Void, row: (RowPage, Int) throws -> Void
  ) throws {
    var isBegun = false
    do {
      try stream(PostgreSQLStatement(sql)) { result in
        if !isBegun {
          guard result.columnCount > 0 else {
            throw SQLTextError(
              sql: sql, message: "Only statements that read can be run here, such as SELECT.",
              utf8Offset: nil)
          }
          try Self.requireReadable(result, sql)
          try begin(
            (0..<result.columnCount).map {
              AnswerColumn(
                name: result.columnName($0), type: .undefined, isGenerated: false)
            })
          isBegun = true
        }
        try hand(result, on: row)
      }
    } catch let failure as PostgreSQLFailure where failure.code == "25006" {
      var error = SQLTextError(
        sql: sql, message: "Only statements that read can be run here, such as SELECT.",
        utf8Offset: nil)
      error.isWriting = true
      throw error
    } catch let failure as PostgreSQLFailure where failure.code.hasPrefix("42") {
      throw SQLTextError(
        sql: sql, message: "PostgreSQL cannot run this: \(failure.message).", utf8Offset: nil)
    }
  }

  /// Values of other types come in forms of their own, which nothing here reads.
  private static func requireReadable(_ result: PostgreSQLResult, _ sql: String) throws {
    let others: Set<UInt32> = [16, 17, 19, 20, 21, 23, 25, 114, 142, 700, 701, 705, 1042, 1043]
    let times: Set<UInt32> = [1114, 1184, 1700, 2950]
    for column in 0..<result.columnCount {
      let type = result.type(ofColumn: column).rawValue
      guard others.contains(type) || times.contains(type) else {
        let name = result.columnName(column)
        throw SQLTextError(
          sql: sql,
          message: "“\(name)” is of a type that is not read as it is; write “\(name)::text”.")
      }
    }
  }

  private func step(
    _ statement: PostgreSQLStatement, _ row: (RowPage, Int) throws -> Void
  ) throws {
    try stream(statement) { try hand($0, on: row) }
  }

  /// Hands on rows of values as pages.
  private func hand(_ result: PostgreSQLResult, on row: (RowPage, Int) throws -> Void) throws {
    let cells = (0..<result.columnCount).map { ServerCell(result.type(ofColumn: $0)) }
    var next = 0
    while next < result.rowCount {
      let page = RowPage(columnCount: cells.count)
      while next < result.rowCount, !page.isFull {
        let index = page.appendRow(key: 0)
        for column in cells.indices where !result.isNull(next, column) {
          cells[column].set(result.bytes(next, column), page, row: index, column: column)
        }
        next += 1
      }
      page.seal()
      for index in 0..<page.rowCount { try row(page, index) }
    }
    try Task.checkCancellation()
  }
}
#endif

#if PostgreSQL
import Basics
import DatastoreCore

/// SQL that a user has typed. The transaction is read-only, so the server itself refuses statements that
/// write.
extension PostgreSQLReadTransaction {
  func answer(
    sql: String, begin: ([AnswerColumn]) throws -> Void, row: (RowPage, Int) throws -> Void
  ) throws {
    try run(typed: sql, begin: begin) { page in
      for index in 0..<page.rowCount { try row(page, index) }
      try Task.checkCancellation()
      return true
    }
  }

  /// Thrown to stop reading rows that are no longer wanted.
  private struct Enough: Error {}

  fileprivate func run(
    typed sql: String, begin: ([AnswerColumn]) throws -> Void,
    receive: (RowPage) throws -> Bool
  ) throws {
    var isBegun = false
    do {
      try telling(sql) { sql in
        try self.receive(PostgreSQLStatement(sql)) { result in
          if !isBegun {
            try Self.requireReadable(result, sql)
            try begin(
              (0..<result.columnCount).map {
                AnswerColumn(name: result.columnName($0), type: .undefined, isGenerated: false)
              })
            isBegun = true
          }
          try result.forEachPage { page in
            guard try receive(page) else { throw Enough() }
          }
        }
      }
    } catch is Enough {
      return
    }
  }

  /// Runs typed SQL, and once more where it returns columns that are not read as they are: as text.
  ///
  /// Turns a failure into an error that explains what is wrong with the typed text.
  fileprivate func telling<Result>(
    _ sql: String, _ body: (_ sql: String) throws -> Result
  ) throws -> Result {
    do {
      do {
        return try body(sql)
      } catch let columns as UnreadableColumns {
        do {
          return try body(columns.asText(in: sql))
        } catch let failure as PostgreSQLFailure where failure.code == "42601" {
          // Not a statement that can be a part of another one.
          throw SQLTextError(sql: sql, message: columns.sentence)
        }
      }
    } catch let failure as PostgreSQLFailure where failure.code == "25006" {
      var error = SQLTextError(
        sql: sql, message: "Only statements that read can be run here, such as SELECT.")
      error.isWriting = true
      throw error
    } catch let failure as PostgreSQLFailure {
      throw SQLTextError(failure, sql) ?? failure
    }
  }

  /// Types whose values are read directly.
  private static let readable: Set<UInt32> = [
    16, 17, 19, 20, 21, 23, 25, 114, 142, 700, 701, 705, 1042, 1043, 1114, 1184, 1700, 2950,
  ]

  fileprivate static func requireReadable(_ result: PostgreSQLResult, _ sql: String) throws {
    guard result.columnCount > 0 else {
      throw SQLTextError(
        sql: sql, message: "Only statements that read can be run here, such as SELECT.")
    }
    let columns = (0..<result.columnCount).map { column in
      (
        name: result.columnName(column),
        isReadable: readable.contains(result.type(ofColumn: column).rawValue)
      )
    }
    if columns.contains(where: { !$0.isReadable }) { throw UnreadableColumns(columns: columns) }
  }

  /// The columns of a statement of which some have types that are not read as they are: dates, enums, arrays,
  /// types of extensions.
  private struct UnreadableColumns: Error {
    let columns: [(name: String, isReadable: Bool)]

    var sentence: String {
      let name = columns.first { !$0.isReadable }?.name ?? ""
      return "“\(name)” is of a type that is not read as it is; write “\(name)::text”."
    }

    /// The statement with these columns in the text form of the server.
    func asText(in sql: String) -> String {
      // A semicolon cannot end a part of a statement, and a comment may be at its end.
      var statement = sql[...]
      while let last = statement.last, last.isWhitespace || last == ";" { statement.removeLast() }
      let selected = columns.enumerated().map { place, column in
        "c\(place)\(column.isReadable ? "" : "::text") AS \(Quoting.sqlName(column.name))"
      }
      let names = columns.indices.map { "c\($0)" }
      return "SELECT \(selected.joined(separator: ", ")) FROM (\n\(statement)\n) "
        + "AS answer(\(names.joined(separator: ", ")))"
    }
  }
}

extension SQLPagesQuestion: ServerQuestion {
  func answer(in transaction: PostgreSQLReadTransaction) throws {
    try transaction.run(typed: sql, begin: begin, receive: receive)
  }
}

extension SQLQuestion: ServerQuestion {
  func answer(in transaction: PostgreSQLReadTransaction) throws -> SQLAnswer {
    let parameters = arguments.map { PostgreSQLParameter.argument($0) }
    return try transaction.telling(sql) { sql in
      let result = try transaction.run(PostgreSQLStatement(sql, parameters))
      try PostgreSQLReadTransaction.requireReadable(result, sql)
      return SQLAnswer(
        columns: (0..<result.columnCount).map { result.columnName($0) }, rows: result.rows())
    }
  }
}

/// Tables with their columns, under the names that a statement must use.
extension SQLNamesQuestion: ServerQuestion {
  func answer(in transaction: PostgreSQLReadTransaction) throws -> [Table] {
    let result = try transaction.run(PostgreSQLStatement(ServerCatalog.names))
    return (0..<result.rowCount).map { row in
      Table(
        table: result.text(row, 0) ?? "", columns: result.texts(row, 1)?.compactMap(\.self) ?? [])
    }
  }
}

extension SQLTextError {
  /// The fault of a statement that a user has typed; nil if something else has failed.
  init?(_ failure: PostgreSQLFailure, _ sql: String) {
    // Errors of syntax and access, and features that the server lacks.
    guard failure.code.hasPrefix("42") || failure.code == "0A000" else { return nil }
    let offset = failure.position.map { position in
      sql.unicodeScalars.prefix(position - 1).reduce(0) { $0 + UTF8.width($1) }
    }
    self.init(
      sql: sql, message: "PostgreSQL cannot run this: \(failure.message).", utf8Offset: offset)
  }
}
#endif

package import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

extension SQLQuestion: FileQuestion {
  func answer(in transaction: SQLiteReadTransaction) throws -> SQLAnswer {
    do {
      return try TypedSQL(sql, for: .reading).run {
        let statement = try RawStatement(text: sql, arguments, in: transaction.database)
        guard sqlite3_stmt_readonly(statement.pointer) != 0 else { throw Self.writes(sql) }
        let columns = (0..<sqlite3_column_count(statement.pointer)).map { index in
          sqlite3_column_name(statement.pointer, index).map { String(cString: $0) } ?? ""
        }
        return SQLAnswer(columns: columns, rows: try statement.rows())
      }
    } catch let error as SQLTextError {
      throw error.isWriting ? Self.writes(sql) : StoreError.unsupportedPredicate(error.message)
    }
  }

  private static func writes(_ sql: String) -> StoreError {
    .unsupportedPredicate(
      "This statement writes: “\(sql)”; run it with `execute(sql:arguments:)`.")
  }
}

extension SQLiteStore {
  package func execute(
    _ sql: String, _ arguments: [Value], unless isCancelled: (@Sendable () -> Bool)? = nil
  ) throws -> SQLExecution {
    try requireWritable()
    do {
      return try writeTransaction { database in
        let connection = database.sqliteConnection
        let version = try RawStatement.schemaVersion(database)
        let before = sqlite3_total_changes(connection)
        try TypedSQL(sql, for: .writing).run {
          let statement = try RawStatement(text: sql, arguments, in: database)
          try ProgressHandler.watch(connection, isCancelled) { try statement.run() }
        }
        // It may have moved rows, or assigned keys of deleted ones to others.
        markShared()
        recordPlacement(in: database)
        let isChanged = sqlite3_total_changes(connection) != before
        return SQLExecution(
          rows: isChanged ? Int(sqlite3_changes(connection)) : 0,
          changesSchema: try RawStatement.schemaVersion(database) != version)
      }
    } catch let error as SQLTextError {
      throw StoreError.unsupportedPredicate(error.message)
    }
  }
}

extension RawStatement {
  /// Prepares text unchanged.
  ///
  /// - Throws: `StoreError.unsupportedPredicate` unless there is a value for every parameter.
  fileprivate init(text: String, _ arguments: [Value], in database: Database) throws {
    try self.init(SQLFragment(stringLiteral: text), in: database)
    let count = Int(sqlite3_bind_parameter_count(pointer))
    guard count == arguments.count else {
      throw StoreError.unsupportedPredicate(
        "“\(text)” has \(count) parameters, but was given \(arguments.count) values.")
    }
    for (index, value) in arguments.enumerated() { try bind(value, at: Int32(index + 1)) }
  }
}

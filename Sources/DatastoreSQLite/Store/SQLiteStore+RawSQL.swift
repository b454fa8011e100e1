package import DatastoreCore
import GRDB
import GRDBSQLite

extension SQLiteStore {
  /// The answer to one statement in SQL.
  package struct Answer: Sendable {
    package let columns: [String]
    package let rows: [[Value]]
  }

  /// Runs one statement that reads, with values for its `?`.
  ///
  /// - Throws: `StoreError`; also for statements that write.
  package func query(_ sql: String, _ arguments: [Value]) throws -> Answer {
    try read { database in
      let statement = try RawStatement(text: sql, arguments, in: database)
      guard sqlite3_stmt_readonly(statement.pointer) != 0 else {
        throw StoreError.unsupportedPredicate(
          "This statement writes: “\(sql)”; run it with `execute(sql:arguments:)`.")
      }
      let columns = (0..<sqlite3_column_count(statement.pointer)).map { index in
        sqlite3_column_name(statement.pointer, index).map { String(cString: $0) } ?? ""
      }
      return Answer(columns: columns, rows: try Self.rows(statement))
    }
  }

  /// Runs one statement that writes, in a transaction of its own.
  ///
  /// - Returns: how many rows it has changed itself.
  package func execute(_ sql: String, _ arguments: [Value]) throws -> Int {
    if isReadOnly { throw StoreError.readOnly(path: path) }
    return try writeTransaction { database in
      let before = sqlite3_total_changes(database.sqliteConnection)
      let statement = try RawStatement(text: sql, arguments, in: database)
      try statement.run()
      let isChanged = sqlite3_total_changes(database.sqliteConnection) != before
      return isChanged ? Int(sqlite3_changes(database.sqliteConnection)) : 0
    }
  }
}

extension RawStatement {
  /// Prepares text as it is.
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

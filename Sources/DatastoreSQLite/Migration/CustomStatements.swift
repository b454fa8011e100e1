import DatastoreCore
import DatastoreSQL
import GRDB

/// SQL statements that a step of a migration runs inside its transaction.
struct CustomStatements {
  private let statements: [String]
  private let path: String

  init(_ statements: [String], path: String) {
    self.statements = statements
    self.path = path
  }

  /// Runs one after the other, each with its effects. They may do what a person may in the console, so none
  /// can end the transaction.
  ///
  /// - Throws: `MigrationError` with the statement that failed.
  func run(_ database: Database) throws {
    for sql in statements {
      do {
        try TypedSQL(sql, for: .writing).run { try database.execute(sql: sql) }
      } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
        guard error.resultCode != .SQLITE_FULL, error.resultCode != .SQLITE_IOERR else {
          throw error
        }
        throw failure(sql, error.message ?? "\(error.resultCode)")
      } catch let error as SQLTextError {
        throw failure(sql, error.message)
      }
    }
  }

  private func failure(_ sql: String, _ reason: String) -> MigrationError {
    MigrationError(path: path, obstacles: [.statementFailed(sql: sql, reason: reason)])
  }
}

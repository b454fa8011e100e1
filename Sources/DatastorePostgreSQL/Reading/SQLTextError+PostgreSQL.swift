#if PostgreSQL
import DatastoreCore

extension SQLTextError {
  /// What is wrong with a statement that someone has typed; nil where it is something else that has failed.
  init?(_ failure: PostgreSQLFailure, _ sql: String) {
    // Errors of syntax and access, and what the server does not have.
    guard failure.code.hasPrefix("42") || failure.code == "0A000" else { return nil }
    let offset = failure.position.map { position in
      sql.unicodeScalars.prefix(position - 1).reduce(0) { $0 + UTF8.width($1) }
    }
    self.init(
      sql: sql, message: "PostgreSQL cannot run this: \(failure.message).", utf8Offset: offset)
  }
}
#endif

import DatastoreCore
import GRDB
import GRDBSQLite

/// A typed SQL statement, and its permissions besides reading or writing rows.
///
/// Even a connection that cannot write can lock everyone out (`PRAGMA locking_mode = EXCLUSIVE`), change the
/// meaning of other statements (`PRAGMA case_sensitive_like`), and open other files (`ATTACH`). SQLite asks
/// about each of these while it compiles a statement: <https://www.sqlite.org/c3ref/set_authorizer.html>. The
/// connection and `sqlite3_stmt_readonly` prevent writing the file, because virtual tables prepare statements
/// that write whenever they are read.
final class TypedSQL: Sendable {
  enum Purpose {
    case reading, writing
  }

  private struct Refusal {
    let message: String
    /// Whether it would be permitted where writing is allowed.
    let isWriting: Bool
  }

  /// The statement being compiled or run on this thread; nil for the library's own statements, which may do
  /// anything.
  @TaskLocal private static var current: TypedSQL?

  private let sql: String
  private let purpose: Purpose
  private let refusal = Lock<Refusal?>(nil)

  init(_ sql: String, for purpose: Purpose) {
    self.sql = sql
    self.purpose = purpose
  }

  /// Makes a connection check typed statements. GRDB's own authorizer, which this one replaces, tells
  /// observers of transactions what statements read and write; there are none here.
  static func watch(_ database: Database) {
    sqlite3_set_authorizer(
      database.sqliteConnection,
      { _, action, first, second, _, _ in TypedSQL.verdict(action, first, second) }, nil)
  }

  /// Whether this thread compiles or runs a typed statement.
  static var isRunning: Bool { current != nil }

  /// The permission for a step of the statement that this thread compiles.
  static func verdict(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
  ) -> Int32 {
    guard let current else { return SQLITE_OK }
    return current.allows(action, first, second) ? SQLITE_OK : SQLITE_DENY
  }

  /// Prepares and runs the statement in `body`.
  ///
  /// - Throws: `SQLTextError` for a statement that is forbidden, or fails because of a function in it or its
  ///   arguments.
  func run<T>(_ body: () throws -> T) throws -> T {
    do {
      return try Self.$current.withValue(self) { try body() }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_AUTH {
      guard let refusal = refusal.withLock({ $0 }) else { throw error }
      var told = SQLTextError(sql: sql, message: refusal.message, utf8Offset: nil)
      told.isWriting = refusal.isWriting
      throw told
    } catch let error as DatabaseError
      where purpose == .reading && error.resultCode == .SQLITE_ERROR
      && !error.isOfExhaustedExpression
    {
      throw SQLTextError(error, sql)
    }
  }

  private func allows(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
  ) -> Bool {
    let found: Refusal? =
      switch action {
      case SQLITE_PRAGMA:
        first.flatMap { name in pragma(String(cString: name).lowercased(), hasValue: second != nil)
        }
      case SQLITE_ATTACH, SQLITE_DETACH:
        Refusal(message: "Other files cannot be attached here.", isWriting: false)
      case SQLITE_TRANSACTION:
        Refusal(
          message: "Each statement is a transaction of its own here; leave out BEGIN, COMMIT and "
            + "ROLLBACK.", isWriting: false)
      default: nil
      }
    guard let found else { return true }
    refusal.withLock { $0 = found }
    return false
  }

  private func pragma(_ name: String, hasValue: Bool) -> Refusal? {
    if Self.readingPragmas.contains(name) || !hasValue && Self.settings.contains(name) {
      return nil
    }
    if Self.writingPragmas.contains(name) {
      if purpose == .writing { return nil }
      return Refusal(message: "PRAGMA \(name) writes the file here.", isWriting: true)
    }
    return Refusal(
      message:
        "PRAGMA \(name)\(hasValue ? " with a value" : "") cannot be run here: it may change how "
        + "this program uses the file, or keep others from using it.", isWriting: false)
  }

  /// Pragmas that only read; their values select what.
  private static let readingPragmas: Set = [
    "collation_list", "compile_options", "database_list", "foreign_key_check", "foreign_key_list",
    "function_list", "index_info", "index_list", "index_xinfo", "integrity_check", "module_list",
    "pragma_list", "quick_check", "table_info", "table_list", "table_xinfo",
  ]

  /// Pragmas that only read without a value.
  private static let settings: Set = [
    "analysis_limit", "application_id", "auto_vacuum", "automatic_index", "busy_timeout",
    "cache_size",
    "cache_spill", "cell_size_check", "checkpoint_fullfsync", "data_version", "defer_foreign_keys",
    "encoding", "foreign_keys", "freelist_count", "fullfsync", "hard_heap_limit",
    "ignore_check_constraints", "journal_mode", "journal_size_limit", "legacy_alter_table",
    "locking_mode", "max_page_count", "mmap_size", "page_count", "page_size", "query_only",
    "read_uncommitted", "recursive_triggers", "reverse_unordered_selects", "schema_version",
    "secure_delete", "soft_heap_limit", "synchronous", "temp_store", "threads", "trusted_schema",
    "user_version", "wal_autocheckpoint",
  ]

  /// Pragmas that change the content of the file, and nothing else.
  private static let writingPragmas: Set = [
    "application_id", "auto_vacuum", "encoding", "incremental_vacuum", "journal_mode", "optimize",
    "page_size", "user_version",
  ]
}

extension SQLTextError {
  /// - Parameter offset: the place that SQLite names, in UTF-8 bytes.
  init(_ error: DatabaseError, _ sql: String, at offset: Int? = nil) {
    self.init(
      sql: sql, message: "SQLite cannot run this: \(error.message ?? "no details").",
      utf8Offset: offset)
  }
}

import CSQLiteShims
import Foundation
import GRDB
import GRDBSQLite

/// Told of every statement that a connection starts, on the thread that runs it.
package typealias SQLTrace = @Sendable (String) -> Void

/// How connections to each kind of file are configured.
enum Connections {
  /// Seconds to wait for a lock that another process holds, when saving.
  static let savingLockTimeout: TimeInterval = 5
  /// Seconds to wait for a lock when opening and reading: a person is waiting.
  static let lockTimeout: TimeInterval = 1.5

  /// Foreign keys are enforced (GRDB's default). Native files are in WAL mode with `synchronous`
  /// NORMAL, which `DatabasePool` sets; files of others keep their journal mode, and are written with
  /// `synchronous` FULL, SQLite's default.
  static func configuration(
    keyTables: KeyTables, isReadOnly: Bool, lockTimeout: TimeInterval = lockTimeout,
    trace: SQLTrace? = nil
  ) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(lockTimeout)
    configuration.label = "datastore"
    configuration.prepareDatabase { database in
      // https://www.sqlite.org/security.html: views, triggers and defaults of files that others
      // made call no function that is not marked as innocuous, and cells are checked on reading.
      try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
      // No statement may write a file in a way that could damage it, whatever its schema asks for.
      let code = csqliteshims_set_defensive(UnsafeMutableRawPointer(database.sqliteConnection))
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
      setLimits(database)
      try SQLFunctions.register(in: database, keyTables: keyTables)
      if let trace {
        database.trace(options: .statement) { event in
          // The text as it was prepared: values are never told.
          if case .statement(let statement) = event { trace(statement.sql) }
        }
      }
    }
    return configuration
  }

  /// The configuration of a connection that has one look at a file before it is opened.
  static func probing(keyTables: KeyTables = KeyTables([])) -> Configuration {
    configuration(keyTables: keyTables, isReadOnly: true)
  }

  /// Lets a connection that is open wait as long as saving may.
  static func waitForSaving(_ database: Database) {
    sqlite3_busy_timeout(database.sqliteConnection, Int32(savingLockTimeout * 1000))
  }

  /// The connection that saves to a file of others: in the journal mode it has.
  static func writerOfForeignFile(
    at path: String, keyTables: KeyTables, trace: SQLTrace?
  ) throws -> any DatabaseWriter {
    do {
      return try DatabaseQueue(
        path: path,
        configuration: configuration(
          keyTables: keyTables, isReadOnly: false, lockTimeout: savingLockTimeout, trace: trace))
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }
}

import CSQLiteShims
import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB
import GRDBSQLite

/// Called for every statement that a connection starts, on the thread that runs it.
package typealias SQLTrace = @Sendable (String) -> Void

/// The configuration of connections to each kind of file.
enum Connections {
  /// Seconds to wait for another process's lock when saving.
  static let savingLockTimeout: TimeInterval = 5

  /// Foreign keys are enforced (GRDB's default).
  static func configuration(
    keyTables: KeyTables, isReadOnly: Bool, lockTimeout: TimeInterval = FileLock.timeout,
    checkpointing: Checkpointing = .ofLibrary, trace: SQLTrace? = nil
  ) -> Configuration {
    var configuration = Configuration.ofFile(checkpointing)
    configuration.readonly = isReadOnly
    configuration.busyMode = .timeout(lockTimeout)
    configuration.label = "datastore"
    // Views and triggers contain such texts, and SQLite's own program accepts them. The library's own
    // statements quote names so that they are never taken for text (`SQLFragment`).
    configuration.acceptsDoubleQuotedStringLiterals = true
    configuration.prepareDatabase { database in
      // https://www.sqlite.org/security.html: schemas of third-party files may use everything that SQLite
      // ships, such as JSON and full-text search, and none of this library's functions (SQLITE_DIRECTONLY).
      // Extensions cannot be loaded. Cells are checked on reading.
      try database.execute(sql: "PRAGMA trusted_schema = ON; PRAGMA cell_size_check = ON")
      // No statement may damage the file, whatever its schema contains.
      let code = csqliteshims_set_defensive(UnsafeMutableRawPointer(database.sqliteConnection))
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
      setLimits(database)
      try SQLFunctions.register(in: database, keyTables: keyTables)
      TypedSQL.watch(database)
      if let trace {
        database.trace(options: .statement) { event in
          // The text as prepared: values are never logged.
          if case .statement(let statement) = event { trace(statement.sql) }
        }
      }
    }
    return configuration
  }

  /// The configuration of a connection that examines a file before it is opened.
  static func probing(
    keyTables: KeyTables = KeyTables([], budget: SQLiteMemory.budget / 2)
  ) -> Configuration {
    configuration(keyTables: keyTables, isReadOnly: true)
  }

  /// Makes an open connection wait as long as saving may.
  static func waitForSaving(_ database: Database) {
    sqlite3_busy_timeout(database.sqliteConnection, Int32(savingLockTimeout * 1000))
  }

  /// The connection that saves to a file. Native files are in WAL mode; third-party files keep their mode,
  /// and are never written with less than `Synchronous.full`, SQLite's default.
  ///
  /// - Parameter isUnderConstruction: whether no one else knows the file, which is lost with the program.
  ///   Each page is then written only once, and not to a log first.
  static func writer(
    at path: String, mapping: SchemaMapping, synchronous: Synchronous,
    isUnderConstruction: Bool = false,
    lockTimeout: TimeInterval = savingLockTimeout, enforcesForeignKeys: Bool = true,
    trace: SQLTrace?
  ) throws -> any DatabaseWriter {
    let level = mapping.isNative || synchronous != .normal ? synchronous : .full
    do {
      var configuration = configuration(
        keyTables: mapping.keyTables, isReadOnly: false, lockTimeout: lockTimeout, trace: trace)
      configuration.foreignKeysEnabled = enforcesForeignKeys
      let connection = try DatabaseQueue(path: path, configuration: configuration)
      try connection.inDatabase { database in
        if isUnderConstruction { return try database.execute(sql: constructing) }
        if mapping.isNative { try useLog(database) }
        try database.execute(sql: "PRAGMA synchronous = \(level.rawValue.uppercased())")
      }
      return connection
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }
}

extension Connections {
  /// The settings of a connection for a file that is discarded unless it becomes complete.
  static let constructing = "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF"

  /// Puts a file into WAL mode.
  static func useLog(_ database: Database) throws {
    let mode = try RawStatement("PRAGMA journal_mode = WAL", in: database)
    while try mode.step() {}
  }
}

/// Limits on SQLite, whatever a file's schema contains.
extension Connections {
  /// The greatest number of instructions in one statement. Generated columns that depend on each other double
  /// it with each one; SQLite writes the instructions before it can be interrupted. Statements that people
  /// write have some thousands.
  private static let longestProgram: Int32 = 2_000_000

  static func setLimits(_ database: Database) {
    sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_VDBE_OP, longestProgram)
  }
}

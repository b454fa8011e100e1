package import DatastoreCore
import DatastoreSQL
package import Foundation
import GRDB
import SQLiteFiles

extension Migrator {
  /// Opens the file separately, migrates it, and closes it again.
  ///
  /// - Throws: like `run`.
  func migrateFile(synchronous: Synchronous, trace: SQLTrace?) throws {
    do {
      let connection = try Connections.writer(
        at: path, mapping: after, synchronous: synchronous, enforcesForeignKeys: false,
        trace: trace)
      try connection.writeWithoutTransaction { database in
        if let limit = request.pageLimit {
          _ = try RawStatement("PRAGMA max_page_count = \(number: limit)", in: database)
            .firstInteger()
        }
        if request.policy == .recreating {
          try recreate(database)
        } else {
          _ = try run(database, of: connection)
        }
        // Others may be reading; pages that cannot be moved into the file now stay in the log.
        _ = try? Checkpointing.ofLibrary.moveLog(
          database, timeout: Connections.savingLockTimeout)
      }
      try connection.close()
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }

  /// Erases everything in the file, if it does not fit, and creates it again.
  private func recreate(_ database: Database) throws {
    try database.inTransaction(.immediate) {
      let old = try NativeFile.schema(in: database, path: path)
      let plan = MigrationPlan(from: old, to: after, request, dialect: SQLiteDialect())
      let file = NativeFile(after, path: path)
      guard plan.kind > .metadata else {
        try FileMetadata.describe(
          after.schema.entities.map(\.description), version: after.schema.version, in: database)
        return .commit
      }
      // Views and triggers before their tables; a virtual table takes its own with it.
      for kind in ["trigger", "view", "table"] {
        let list = try RawStatement(
          """
          SELECT name FROM sqlite_master WHERE type = \(.text(kind)) \
          AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY sql NOT LIKE 'CREATE VIRTUAL%'
          """, in: database)
        var names: [String] = []
        while try list.step() { names.append(list.value(at: 0).plainText) }
        for name in names {
          let drop = SQLFragment(stringLiteral: "DROP \(kind.uppercased()) IF EXISTS ")
          try RawStatement(drop + "\(name: name)", in: database).run()
        }
      }
      try file.create(database)
      return .commit
    }
  }
}

extension SQLiteStore {
  /// The forecast of a migration of a file, found without writing it.
  ///
  /// - Throws: `StoreError`. A file that is missing, empty or made by another program needs no migration.
  package static func forecast(
    of schema: Schema, at url: URL, _ request: MigrationRequest
  ) throws -> MigrationForecast {
    try probing(url) { database, path in
      let migrator = Migrator(path: path, file: path, after: .native(schema), request: request)
      var forecast = try migrator.forecast(in: database)
      if forecast.hasMigration { forecast.otherProcesses = FileUsers.others(of: path) }
      return forecast
    } ?? .nothing
  }

  /// The schema that a native file says it has; nil for files of other programs and empty ones. What others
  /// have added, such as views, is not in it.
  ///
  /// - Throws: `StoreError`; `.missingFile` if there is no file.
  package static func storedSchema(at url: URL) throws -> Schema? {
    try FileHeader.checkPresent(path(of: url))
    return try probing(url) { database, path in try NativeFile.schema(in: database, path: path) }
  }

  /// Runs `body` on a connection that changes nothing, if the file is native.
  private static func probing<Result>(
    _ url: URL, _ body: (Database, _ path: String) throws -> Result
  ) throws -> Result? {
    let path = try self.path(of: url)
    guard try FileHeader.check(path) else { return nil }
    var side = SideFiles(path: path)
    defer { side.tidyUp() }
    do {
      return try side.reading(isReadOnly: true) { place in
        let probe = try DatabaseQueue(path: place, configuration: Connections.probing())
        defer { try? probe.close() }
        return try probe.read { database in
          guard try NativeFile.isNative(database) else { return nil }
          try NativeFile.checkFormat(database, path: path)
          return try body(database, path)
        }
      }
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }
}

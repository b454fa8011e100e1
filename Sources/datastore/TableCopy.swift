import Basics
import DatastoreCore
import DatastoreFar
import DatastoreImport
import DatastoreSQL
import DatastoreSQLite
import Foundation
import SwiftDatastore

#if PostgreSQL
import SwiftDatastorePostgreSQL
#endif

/// Copies the tables of a third-party store as plain tables of the other engine.
struct TableCopy {
  let source: MigrationTarget
  let destination: StoreAddress
  /// The source and the destination as they were typed.
  let store: String
  let new: String
  /// The schemas to read from and to make the tables in; nil for the server's default.
  let sourceSchema: String?
  let newSchema: String?
  let isTrial: Bool

  /// - Parameter progress: receives the numbers of written rows and of all rows.
  /// - Throws: `Failure`, `PlainTableFault`, `StoreError`, `CancellationError`. No tables are made then.
  func run(_ progress: (_ done: Int, _ total: Int) -> Void) throws -> MadeTables {
    switch (source, destination) {
    case (.file(let url), .server(let address, _)):
      try SQLiteStore.withPlainTables(of: url) { tables in
        #if PostgreSQL
        try SwiftDatastore.makePlainTables(
          of: checked(tables), inPostgreSQL: address, schema: newSchema, isTrial: isTrial
        ) { progress($0, tables.rowCount) }
        #else
        throw StoreAddress.missing(address)
        #endif
      }
    case (.server(let address, _), .file(let url)):
      #if PostgreSQL
      try SwiftDatastore.withPlainTables(ofPostgreSQL: address, schema: sourceSchema) { tables in
        try make(checked(tables), at: url, progress)
      }
      #else
      throw StoreAddress.missing(address)
      #endif
    case (.file, .file), (_, .far): trap("A file is copied into another one as it is.")
    case (.server, .server):
      throw Failure(
        .usage,
        """
        These tables were not made by SwiftDatastore; they are copied into a file. pg_dump copies them \
        into another database.
        """)
    }
  }

  /// Makes the file under a temporary name; it gets its own name when it is complete.
  private func make(
    _ tables: any PlainTableSource, at url: URL, _ progress: (_ done: Int, _ total: Int) -> Void
  ) throws -> MadeTables {
    try requireFree(url, new)
    if isTrial { return try SQLiteStore.makePlainTables(of: tables, at: url, isTrial: true) }
    let building = try StoreUnderConstruction(at: url)
    do {
      let made = try SQLiteStore.makePlainTables(of: tables, at: building.url) {
        progress($0, tables.rowCount)
      }
      try building.finish()
      return made
    } catch {
      building.discard()
      throw error
    }
  }

  private func checked(_ tables: any PlainTableSource) throws -> any PlainTableSource {
    guard tables.tables.isEmpty else { return tables }
    if let sourceSchema { throw StoreAddress.missingStore(sourceSchema) }
    throw Failure(.badData, "\(tables.place) has no tables that could be copied.")
  }

  /// Reports the copy, or the copy that a trial would make.
  func answer(_ made: MadeTables) {
    for statement in made.statements { Message.answer(statement + ";") }
    let place = destination.isServer ? made.place : new
    let origin = source.isServer ? made.origin : store
    let tables = "\(CountText.counted(made.tableCount, "table")) of \(origin) into \(place)"
    Message.answer(
      isTrial
        ? "Would copy \(CountText.counted(made.rowCount, "row")) of \(tables). Nothing was made."
        : "Copied \(CountText.counted(made.rowCount, "row")) of \(tables).")
  }
}

extension MigrationTarget {
  /// Whether there are plain tables: no native store and none of Core Data, whose objects would be copied.
  ///
  /// - Throws: `StoreError`; `Failure` if the program was built without PostgreSQL.
  func hasPlainTables() throws -> Bool {
    switch self {
    case .file(let url):
      let opened = try SQLiteStore(existing: url, isReadOnly: true)
      defer { try? opened.close() }
      return !opened.isNative && !opened.isCoreData
    case .server(let address, let name):
      #if PostgreSQL
      return try SwiftDatastore.schema(inPostgreSQL: address, storeName: name) == nil
      #else
      throw StoreAddress.missing(address)
      #endif
    }
  }
}

/// Checks that a copy would replace no file.
///
/// - Parameter name: the file as it was typed.
/// - Throws: `Failure`.
func requireFree(_ url: URL, _ name: String) throws {
  guard !FileManager.default.fileExists(atPath: url.path) else {
    throw Failure(.cannotCreate, "\(name) exists already; a copy needs a new file.")
  }
  guard (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) == nil else {
    throw Failure(
      .cannotCreate,
      "\(name) is a symbolic link that leads nowhere; remove it, or name another file.")
  }
}

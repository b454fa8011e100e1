import DatastoreTestSupport
import Foundation
import SwiftDatastore

#if PostgreSQL
import SwiftDatastorePostgreSQL
#endif

/// Tables that another program has made, open to be written, and a program of the engine to look into them.
struct ForeignTables: Sendable {
  let datastore: SwiftDatastore
  private let look: @Sendable (String) throws -> String

  /// - Parameter sql: statements that every engine reads.
  init(_ engine: TestEngine, _ sql: String) throws {
    switch engine {
    case .sqlite:
      let file = try ForeignDatabase("PRAGMA foreign_keys = ON; \(sql)")
      datastore = try file.open()
      look = { try file.run($0) }
    case .far:
      let file = try ForeignDatabase("PRAGMA foreign_keys = ON; \(sql)")
      datastore = SwiftDatastore(
        try FarPair(opening: file.url).store, dataModel: nil, storeName: engine.rawValue,
        options: .init())
      look = { try file.run($0) }
    #if PostgreSQL
    case .postgreSQL:
      let server = try PostgreSQLServer.shared()
      let database = try server.makeDatabase()
      _ = try server.psql(database, sql)
      datastore = try SwiftDatastore(showing: server.address(of: database), readOnly: false)
      look = { try server.psql(database, $0) }
    #endif
    }
  }

  /// The answer of the program, a line a row, values between bars.
  func run(_ sql: String) throws -> String { try look(sql) }

  /// Everything that tables hold, by their columns.
  func contents(of tables: String...) throws -> [String] {
    try tables.map { try run("SELECT * FROM \($0) ORDER BY 1, 2, 3") }
  }
}

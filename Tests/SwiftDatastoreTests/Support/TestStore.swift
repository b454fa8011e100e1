import DatastoreTestSupport
import Foundation
import SwiftDatastore

#if PostgreSQL
import SwiftDatastorePostgreSQL
#endif

/// A new store for one test, and the other program that reads it: sqlite3, or psql.
struct TestStore: Sendable {
  let datastore: SwiftDatastore
  private let place: Place

  private enum Place {
    case file(URL, TemporaryDirectory)
    #if PostgreSQL
    case schema(String, PostgreSQLServer)
    #endif
  }

  init(_ engine: TestEngine, _ model: SwiftDatastoreModel) throws {
    switch engine {
    case .sqlite:
      let directory = try TemporaryDirectory()
      let url = directory.file("store.db")
      datastore = try SwiftDatastore(dataModel: model, url: url)
      place = .file(url, directory)
    case .far:
      let directory = try TemporaryDirectory()
      let url = directory.file("store.db")
      datastore = SwiftDatastore(
        try FarPair(of: model.schema, at: url).store, dataModel: model, storeName: engine.rawValue,
        options: .init())
      place = .file(url, directory)
    #if PostgreSQL
    case .postgreSQL:
      let server = try PostgreSQLServer.shared()
      let name = UUID().uuidString
      datastore = try SwiftDatastore(
        dataModel: model, postgreSQL: server.address(of: "postgres"), storeName: name)
      place = .schema(name, server)
    #endif
    }
  }

  /// The output of the other program for some statements, line by line, with `|` between values.
  ///
  /// - Parameter sql: names of tables are in quotes, without which PostgreSQL reads them as lower-case ones.
  @discardableResult
  func rows(_ sql: String) throws -> [String] {
    let output =
      switch place {
      case .file(let url, _): try SQLiteCommand.run(sql, on: url)
      #if PostgreSQL
      case .schema(let name, let server):
        try server.psql("postgres", "SET search_path = \"\(name)\"; \(sql)")
      #endif
      }
    return output.split(separator: "\n").map(String.init)
  }
}

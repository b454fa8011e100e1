import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import SwiftDatastore

#if PostgreSQL
import DatastorePostgreSQL
import SwiftDatastorePostgreSQL
#endif

/// The engines that keep stores: tests with such an argument run on each, from one source.
enum TestEngine: String, CaseIterable, Codable, Sendable {
  case sqlite
  /// SQLite at the other end of a line.
  case far
  #if PostgreSQL
  case postgreSQL
  #endif

  /// Whether SQLite holds the rows.
  var isSQLite: Bool { self == .sqlite || self == .far }

  /// The rounds of a property test with so many cases each, on every engine: a quarter of them on engines
  /// whose questions take longer.
  static func rounds(of cases: Int) -> [(engine: TestEngine, round: Int)] {
    allCases.flatMap { engine in
      RandomCases.rounds(of: engine == .sqlite ? cases : 4 * cases).map { (engine, $0) }
    }
  }

  /// A new store of entities without classes, by itself.
  func makeStore(_ schema: Schema) throws -> any StoreEngine {
    switch self {
    case .sqlite: return try SQLiteStore(inMemory: schema)
    case .far: return try FarPair(ofNew: schema).store
    #if PostgreSQL
    case .postgreSQL:
      return try PostgreSQLStore(
        schema, at: PostgreSQLAddress(PostgreSQLServer.shared().address(of: "postgres")),
        named: UUID().uuidString)
    #endif
    }
  }

  /// A new store of entities without classes.
  func makeDatastore(_ schema: Schema) throws -> SwiftDatastore {
    SwiftDatastore(
      try makeStore(schema), dataModel: nil, storeName: rawValue, options: .init())
  }

  /// A new store for one test.
  func makeDatastore(_ model: SwiftDatastoreModel) throws -> SwiftDatastore {
    switch self {
    case .sqlite: return try SwiftDatastore(inMemory: model)
    case .far:
      return SwiftDatastore(
        try FarPair(ofNew: model.schema).store, dataModel: model, storeName: rawValue,
        options: .init())
    #if PostgreSQL
    case .postgreSQL:
      let server = try PostgreSQLServer.shared()
      return try SwiftDatastore(
        dataModel: model, postgreSQL: server.address(of: "postgres"), storeName: UUID().uuidString)
    #endif
    }
  }
}

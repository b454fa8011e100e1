import DatastoreTestSupport
import Foundation
import SwiftDatastore

#if PostgreSQL
import SwiftDatastorePostgreSQL
#endif

/// The engines that keep stores: tests that take one run on each, from one source.
enum TestEngine: String, CaseIterable, Sendable {
  case sqlite
  #if PostgreSQL
  case postgreSQL
  #endif

  /// A new store that nobody else uses.
  func makeDatastore(_ model: SwiftDatastoreModel) throws -> SwiftDatastore {
    switch self {
    case .sqlite: return try SwiftDatastore(inMemory: model)
    #if PostgreSQL
    case .postgreSQL:
      let server = try PostgreSQLServer.shared()
      return try SwiftDatastore(
        dataModel: model, postgreSQL: server.address(of: "postgres"), storeName: UUID().uuidString)
    #endif
    }
  }
}

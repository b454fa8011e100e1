import DatastoreCore
import DatastoreFar
import DatastoreSQLite
import Foundation
import SwiftDatastore

#if PostgreSQL
import SwiftDatastorePostgreSQL
#endif

/// The store to migrate: a file, or a schema of a database in a server.
enum MigrationTarget {
  case file(URL)
  /// The address may contain a password, so it is never shown.
  case server(String, storeName: String)

  init(_ store: String, storeName: String?) throws {
    switch try StoreAddress(store, storeName: storeName) {
    case .file(let url): self = .file(url)
    case .far(let address):
      throw Failure(
        .usage,
        "\(address.name) lies elsewhere; run the datastore there for this, for example with “ssh HOST datastore …”."
      )
    case .server(let address, let name): self = .server(address, storeName: name ?? "datastore")
    }
  }

  var isServer: Bool {
    if case .server = self { true } else { false }
  }

  /// The name of the store in messages, at the beginning of a sentence or, with another article, within one.
  func title(_ store: String, article: String = "The") -> String {
    switch self {
    case .file: store
    case .server(_, let name): "\(article) store “\(name)”"
    }
  }

  /// The present schema of the store.
  ///
  /// - Throws: `Failure` if it has none.
  func schema(_ store: String) throws -> Schema {
    switch self {
    case .file(let url):
      if let schema = try SQLiteStore.storedSchema(at: url) { return schema }
      throw Failure(
        .badData,
        "\(store) was not made by SwiftDatastore, so it has no model; change its tables with SQL."
      )
    case .server(let address, let name):
      #if PostgreSQL
      if let schema = try SwiftDatastore.schema(inPostgreSQL: address, storeName: name) {
        return schema
      }
      throw StoreAddress.missingStore(name)
      #else
      throw StoreAddress.missing(address)
      #endif
    }
  }

  /// Forecasts a migration.
  func forecast(_ schema: Schema, _ request: MigrationRequest) throws -> MigrationForecast {
    switch self {
    case .file(let url): return try SQLiteStore.forecast(of: schema, at: url, request)
    case .server(let address, let name):
      #if PostgreSQL
      return try SwiftDatastore.forecast(
        of: schema, postgreSQL: address, storeName: name, request)
      #else
      throw StoreAddress.missing(address)
      #endif
    }
  }

  func migrate(to schema: Schema, _ request: MigrationRequest) throws {
    switch self {
    case .file(let url): try SQLiteStore(schema, at: url, migration: request).close()
    case .server(let address, let name):
      #if PostgreSQL
      try SwiftDatastore.migrate(to: schema, postgreSQL: address, storeName: name, request)
      #else
      throw StoreAddress.missing(address)
      #endif
    }
  }
}

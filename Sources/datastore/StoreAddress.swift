import DatastoreCore
import Foundation
import SwiftDatastore

#if PostgreSQL
import SwiftDatastorePostgreSQL
#endif

/// Where a store is: in a file, or in a server.
enum StoreAddress {
  case file(URL)
  /// A database of PostgreSQL's, in words of its client library. May have a password in it: it is shown nowhere.
  case server(String)

  /// `postgresql://…`, `postgres://…` and `service=…` are servers; everything else is the path of a file.
  init(_ text: String) {
    let isServer = ["postgresql://", "postgres://", "service="].contains { text.hasPrefix($0) }
    self = isServer ? .server(text) : .file(URL(fileURLWithPath: text))
  }

  /// The file; nil in a server.
  var url: URL? {
    if case .file(let url) = self { return url }
    return nil
  }

  /// Opens what is there, with objects.
  ///
  /// - Parameter readOnly: nothing can be saved; databases in servers are only looked at, whatever it says.
  /// - Throws: `StoreError`; `Failure` for a server, where the program was built without PostgreSQL.
  func datastore(readOnly: Bool, options: SwiftDatastore.Options) throws -> SwiftDatastore {
    switch self {
    case .file(let url):
      return try SwiftDatastore(opening: url, readOnly: readOnly, options: options)
    case .server(let address):
      #if PostgreSQL
      return try SwiftDatastore(showing: address, options: options)
      #else
      throw Self.missing(address)
      #endif
    }
  }

  /// Opens what is there for reading, without objects.
  ///
  /// - Throws: as `datastore(readOnly:options:)`.
  func store(options: SwiftDatastore.Options) throws -> any StoreEngine {
    switch self {
    case .file(let url):
      return try SwiftDatastore.store(opening: url, readOnly: true, options: options)
    case .server(let address):
      #if PostgreSQL
      return try SwiftDatastore.store(showing: address)
      #else
      throw Self.missing(address)
      #endif
    }
  }

  #if !PostgreSQL
  private static func missing(_ address: String) -> Failure {
    Failure(
      .usage,
      "This program was built without PostgreSQL. Install libpq-dev, and build it with "
        + "“swift build --traits PostgreSQL”.")
  }
  #endif
}

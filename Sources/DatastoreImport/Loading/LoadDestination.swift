package import DatastoreCore
package import Foundation
package import SwiftDatastore

/// The store that files are loaded into: a file, or a database in a server.
package struct LoadDestination: Sendable {
  /// What people know it by. There is no password in it.
  package let name: String
  /// The file; nil in a server, where a store is there as soon as there is a database.
  let url: URL?
  /// Opens it without objects.
  let store: @Sendable (_ readOnly: Bool) throws -> any StoreEngine
  /// Opens it with objects.
  let datastore:
    @Sendable (_ readOnly: Bool, _ options: SwiftDatastore.Options) throws -> SwiftDatastore

  /// - Parameter url: any file, or a place for a new one.
  package init(_ url: URL) {
    name = url.path
    self.url = url
    store = { try SwiftDatastore.store(opening: url, readOnly: $0) }
    datastore = { try SwiftDatastore(opening: url, readOnly: $0, options: $1) }
  }

  /// A database in a server.
  package init(
    named name: String, store: @escaping @Sendable (_ readOnly: Bool) throws -> any StoreEngine,
    datastore:
      @escaping @Sendable (_ readOnly: Bool, _ options: SwiftDatastore.Options) throws ->
      SwiftDatastore
  ) {
    self.name = name
    url = nil
    self.store = store
    self.datastore = datastore
  }
}

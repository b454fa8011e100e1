package import DatastoreCore
package import Foundation
package import SwiftDatastore

/// The store that files are loaded into: a file, or a database in a server.
package struct LoadDestination: Sendable {
  /// The name shown to users. It contains no password.
  package let name: String
  /// The file; nil for a server, where a store exists as soon as there is a database.
  let url: URL?
  /// Opens it without objects.
  let store: @Sendable (_ readOnly: Bool) throws -> any StoreEngine
  /// Opens it with objects.
  let datastore:
    @Sendable (_ readOnly: Bool, _ options: SwiftDatastore.Options) throws -> SwiftDatastore
  /// Creates the store in a server; nil for a file, and if the store is whatever tables there are.
  let making: StoreMaking?

  /// - Parameter url: any file, or a place for a new one.
  package init(_ url: URL) {
    name = url.path
    self.url = url
    store = { try SwiftDatastore.store(opening: url, readOnly: $0) }
    datastore = { try SwiftDatastore(opening: url, readOnly: $0, options: $1) }
    making = nil
  }

  /// A database in a server, or a native store in one.
  package init(
    named name: String, store: @escaping @Sendable (_ readOnly: Bool) throws -> any StoreEngine,
    datastore:
      @escaping @Sendable (_ readOnly: Bool, _ options: SwiftDatastore.Options) throws ->
      SwiftDatastore,
    making: StoreMaking? = nil
  ) {
    self.name = name
    url = nil
    self.store = store
    self.datastore = datastore
    self.making = making
  }

  /// A plan for the entities of the store; as it is if there is no store, or it cannot be read.
  package func fitted(_ plan: LoadPlan) -> LoadPlan {
    guard let store = try? self.store(true) else { return plan }
    defer { try? store.close() }
    return plan.fitting(store)
  }

  /// An entity of the store that the plan fills; nil if there is none, no store, or it cannot be read.
  package func entity(filledBy plan: LoadPlan) -> Entity? {
    guard let store = try? self.store(true) else { return nil }
    defer { try? store.close() }
    for case .entity(let content) in plan.sources.map(\.content) {
      if let entity = store.schema.entity(meantBy: content.entity) { return entity }
    }
    return nil
  }
}

/// How a store is created that does not exist in a server yet.
package struct StoreMaking: Sendable {
  /// The content of the new store.
  package enum Content: Sendable {
    case model(SwiftDatastoreModel)
    case schema(Schema)
  }

  /// Removes the store again if it has no rows.
  package typealias Undoing = @Sendable () throws -> Void

  /// Whether there is no store of that name.
  let isNeeded: @Sendable () throws -> Bool
  let make: @Sendable (Content) throws -> Undoing

  package init(
    isNeeded: @escaping @Sendable () throws -> Bool,
    make: @escaping @Sendable (Content) throws -> Undoing
  ) {
    self.isNeeded = isNeeded
    self.make = make
  }
}

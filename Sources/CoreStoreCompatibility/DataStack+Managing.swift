public import DatastoreCore
import Dispatch
public import Foundation
public import SwiftDatastore

extension DataStack {
  /// The name of this program, from which the name of a `SQLiteStore()` is made.
  public static var applicationName: String { ProcessInfo.processInfo.processName }

  /// The view context, for functions that CoreStore has no name for: `datastore.sharedViewContext`.
  public func unsafeContext() throws(CoreStoreError) -> SwiftDatastoreViewContext {
    try datastore.sharedViewContext
  }

  /// Makes the next access to each object of the view context read the store again: `refreshAllObjects()`.
  @MainActor public func refreshAndMergeAllObjects() throws(CoreStoreError) {
    try unsafeContext().refreshAllObjects()
  }

  /// Closes the datastore and removes all storages from the stack, so that others can be added. Its objects,
  /// lists and transactions can no longer read or save. Files stay where they are.
  ///
  /// - Throws: `StoreError` when SQLite fails to finish its work; the storages are removed then, too.
  public func unsafeRemoveAllPersistentStoresAndWait() throws {
    try additions.sync { try added.withLock { $0.take() }?.datastore.close() }
  }

  /// Removes all storages in the background; `completion` is called on the main actor.
  public func unsafeRemoveAllPersistentStores(
    completion: @escaping @MainActor @Sendable () -> Void = {}
  ) {
    DispatchQueue.global().async { [self] in
      // Work that SQLite fails to finish is done when the file is next opened.
      try? unsafeRemoveAllPersistentStoresAndWait()
      DispatchQueue.main.async { MainActor.assumeIsolated { completion() } }
    }
  }

  /// The identifier with a name; nil for a name that does not belong to this stack.
  public func objectID(forURIRepresentation url: URL) -> DatastoreObjectID? {
    try? datastore.objectID(forURIRepresentation: url)
  }

  /// The class and its subclasses in the model, by the names of their entities.
  public func entityTypesByName<O: DatastoreObject>(for type: O.Type) -> [String: O.Type] {
    let types = (modelSchema as? SwiftDatastoreModel)?.types ?? []
    return Dictionary(
      types.compactMap { $0 as? O.Type }.map { ($0.entityName, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The model's description of a class; nil for one that is not part of it.
  public func entityDescription(for type: DatastoreObject.Type) -> EntityDescription? {
    modelSchema.schema.entity(named: type.entityName)?.description
  }
}

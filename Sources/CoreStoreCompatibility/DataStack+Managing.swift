public import DatastoreCore
import Dispatch
public import Foundation
public import SwiftDatastore

extension DataStack {
  /// The name of this program, of which that of a `SQLiteStore()` is made.
  public static var applicationName: String { ProcessInfo.processInfo.processName }

  /// The view context, for what CoreStore has no name for: `datastore.sharedViewContext`.
  public func unsafeContext() throws(CoreStoreError) -> SwiftDatastoreViewContext {
    try datastore.sharedViewContext
  }

  /// Has the next access to each object of the view context read the store again: `refreshAllObjects()`.
  @MainActor public func refreshAndMergeAllObjects() throws(CoreStoreError) {
    try unsafeContext().refreshAllObjects()
  }

  /// Closes the datastore and takes all storages out, so that others can be added. Its objects, lists and
  /// transactions cannot read or save any more. Files stay where they are.
  ///
  /// - Throws: `StoreError` when SQLite fails to finish its work; the storages are out then, too.
  public func unsafeRemoveAllPersistentStoresAndWait() throws {
    try additions.sync { try added.withLock { $0.take() }?.datastore.close() }
  }

  /// The same in the background; `completion` is called on the main actor.
  public func unsafeRemoveAllPersistentStores(
    completion: @escaping @MainActor @Sendable () -> Void = {}
  ) {
    DispatchQueue.global().async { [self] in
      // What SQLite fails to finish is done when the file is opened next.
      try? unsafeRemoveAllPersistentStoresAndWait()
      DispatchQueue.main.async { MainActor.assumeIsolated { completion() } }
    }
  }

  /// The identifier with a name; nil for a name that is not of this stack.
  public func objectID(forURIRepresentation url: URL) -> DatastoreObjectID? {
    try? datastore.objectID(forURIRepresentation: url)
  }

  /// The classes of the model that are or inherit from a class, by the names of their entities.
  public func entityTypesByName<O: DatastoreObject>(for type: O.Type) -> [String: O.Type] {
    let types = (modelSchema as? SwiftDatastoreModel)?.types ?? []
    return Dictionary(
      types.compactMap { $0 as? O.Type }.map { ($0.entityName, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// What the model says of a class; nil for one that is not part of it.
  public func entityDescription(for type: DatastoreObject.Type) -> EntityDescription? {
    modelSchema.schema.entity(named: type.entityName)?.description
  }
}

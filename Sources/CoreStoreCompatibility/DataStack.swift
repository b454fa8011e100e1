import DatastoreCore
import Dispatch
public import SwiftDatastore

/// A model with its versions, and the datastore that is created from it when a storage is added.
///
/// ```swift
/// let dataStack = DataStack(
///   CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person")]))
/// try dataStack.addStorageAndWait(SQLiteStore(fileName: "MyStore.sqlite"))
/// let people = try dataStack.fetchAll(From<Person>())
/// ```
///
/// A stack has one storage, or several that hold the entities of one configuration each. It does nothing by
/// itself: transactions, fetches and queries are those of its `datastore`, which also has everything that
/// CoreStore has no name for. Its view context is read-only.
///
/// Sendable: it may be used from any thread; the view context is read on the main actor.
public final class DataStack: Sendable {
  /// The storages and the datastore opened for them.
  struct Added: Sendable {
    var storages: [any StorageInterface]
    let datastore: SwiftDatastore
  }

  /// The versions of the model.
  public let schemaHistory: SchemaHistory
  /// Custom values that a program attaches to the stack.
  public let userInfo = UserInfo()
  let added = Lock<Added?>(nil)
  /// Storages are added one after the other. Suspended while one is opened in the background.
  let additions = DispatchQueue(label: "DataStackAdditions")

  /// A stack of the current version of a history, without a storage.
  public init(schemaHistory: SchemaHistory) { self.schemaHistory = schemaHistory }

  /// A stack of one or several versions in their order, without a storage. Traps with every fault of the
  /// history (see `SchemaHistory`).
  public convenience init(
    _ schema: any DynamicSchema, _ others: any DynamicSchema...,
    migrationChain: MigrationChain = nil
  ) {
    do {
      self.init(
        schemaHistory: try SchemaHistory([schema] + others, migrationChain: migrationChain))
    } catch {
      CoreStoreDefaults.abort("DataStack: \(error)")
    }
  }

  /// The version of its file.
  public var modelSchema: any DynamicSchema { schemaHistory.current }

  /// The name of the version of its file; nil for a model without one.
  public var modelVersion: String? { schemaHistory.current.modelVersion }

  /// The datastore of the storage.
  ///
  /// - Throws: `CoreStoreError.persistentStoreNotFound` before a storage was added.
  public var datastore: SwiftDatastore {
    get throws(CoreStoreError) {
      guard let added = added.withLock({ $0 }) else {
        throw .persistentStoreNotFound(entity: DatastoreObject.self)
      }
      return added.datastore
    }
  }

  var options: SwiftDatastore.Options {
    var options = SwiftDatastore.Options()
    options.isViewContextReadOnly = true
    options.logger = CoreStoreDefaults.logger
    return options
  }
}

public import DatastoreCore
import Foundation

/// Several stores in one datastore, each holding some of the entities.
///
/// Contexts, queries, lists and transactions work as with one store. The `configurations:` of the model say
/// which classes belong together. A class may be in several stores; no relationship leads from one store into
/// another.
///
/// A save to several stores is written in all of them before it is committed in the first, so a conflict, a
/// broken rule, a lock or a full disk in any of them leaves all unchanged. SQLite cannot commit in two files
/// at once: if the program is killed between two commits, only some of the files have the save.
/// `incompleteSaves()` reports that when they are opened again.
extension SwiftDatastore {
  /// Opens or creates several stores: all or none. Waits for the file system.
  ///
  /// Each file is migrated by itself.
  ///
  /// - Parameters:
  ///   - dataModel: the classes, with the configurations that the stores name.
  ///   - stores: where the entities are kept. More can be added later.
  ///   - options: how the datastore behaves.
  ///   - migration: the permitted changes to files that were created with another version of the model.
  /// - Throws: `SchemaError` with every relationship that would lead from one store into another and every
  ///   configuration that does not exist; `StoreError`; `MigrationError`.
  public convenience init(
    dataModel: SwiftDatastoreModel, stores: [StoreDescription], options: Options = Options(),
    migration: MigrationPolicy = .instant
  ) throws {
    let set = StoreSet(dataModel, options)
    try set.open(stores) { Self.request(dataModel, migration, at: $0) }
    self.init(set, of: dataModel, options)
  }

  /// Opens or creates several stores of the current version of a history. Files of other versions are
  /// migrated to it directly, by the schema in the file.
  ///
  /// - Parameters:
  ///   - history: the versions; the current one has the configurations that the stores name.
  ///   - stores: where the entities are kept. More can be added later.
  ///   - options: how the datastore behaves.
  ///   - migration: the permitted changes to files that were created with another version of the model.
  /// - Throws: like `init(dataModel:stores:options:migration:)`.
  public convenience init(
    history: SchemaHistory, stores: [StoreDescription], options: Options = Options(),
    migration: MigrationPolicy = .instant
  ) throws {
    let set = StoreSet(history.current, options)
    try set.open(stores) { Self.request(history.current, migration, at: $0) }
    self.init(set, of: history.current, options)
  }

  private convenience init(_ set: StoreSet, of version: any DynamicSchema, _ options: Options) {
    self.init(
      store: set.engine, types: ModelTypes(version: version), url: nil, options: options,
      storeSet: set)
  }

  /// Opens or creates several stores in the background, and migrates those that were made with another
  /// version of the model, each by itself. Cancelling the task rolls back the migration that is running.
  ///
  /// - Parameters:
  ///   - dataModel: the classes, with the configurations that the stores name.
  ///   - stores: where the entities are kept. More can be added later.
  ///   - options: how the datastore behaves.
  ///   - migration: the permitted changes to files of another version. Every value is kept, unless you
  ///     declare which values may be lost.
  /// - Throws: like `init(dataModel:stores:options:migration:)`; `CancellationError`.
  public static func open(
    dataModel: SwiftDatastoreModel, stores: [StoreDescription], options: Options = Options(),
    migration: MigrationPolicy = .lossless
  ) async throws -> SwiftDatastore {
    try await inBackground { isCancelled in
      let set = StoreSet(dataModel, options)
      try set.open(stores) {
        var request = request(dataModel, migration, at: $0)
        request.isCancelled = isCancelled
        return request
      }
      return SwiftDatastore(set, of: dataModel, options)
    }
  }

  /// The stores, in the order in which they were added; empty for a datastore that was not opened with
  /// `stores:`.
  public var stores: [StoreDescription] { storeSet?.stores ?? [] }

  /// Opens or creates one more store. Waits for the file system. Existing contexts can use its objects at
  /// once.
  ///
  /// Does nothing if the same store was added before.
  ///
  /// - Parameters:
  ///   - store: where it is, and which entities it holds.
  ///   - migration: the permitted changes to a file that was created with another version of the model.
  /// - Throws: `StoreError.sharedEntities` for a datastore that was not opened with `stores:`, whose only
  ///   store holds everything; `StoreError.otherConfiguration` if the file was added for other entities;
  ///   otherwise the errors of opening it.
  public func addStore(_ store: StoreDescription, migration: MigrationPolicy = .instant) throws {
    guard let storeSet else { throw onlyStore(besides: store) }
    try storeSet.addLater(store) { Self.request(storeSet.version, migration, at: $0) }
  }

  /// Opens or creates one more store in the background, and migrates it if it was made with another version
  /// of the model. Cancelling the task rolls the migration back.
  ///
  /// - Parameters:
  ///   - store: where it is, and which entities it holds.
  ///   - migration: the permitted changes to a file of another version. Every value is kept, unless you
  ///     declare which values may be lost.
  /// - Throws: like `addStore(_:migration:)`; `CancellationError`.
  public func openStore(
    _ store: StoreDescription, migration: MigrationPolicy = .lossless
  ) async throws {
    guard let storeSet else { throw onlyStore(besides: store) }
    try await Self.inBackground { isCancelled in
      try storeSet.addLater(store) {
        var request = Self.request(storeSet.version, migration, at: $0)
        request.isCancelled = isCancelled
        return request
      }
    }
  }

  /// The store of an object; nil for a datastore that was not opened with `stores:`. O(1).
  public func store(of id: DatastoreObjectID) -> StoreDescription? {
    storeSet?.engine.description(of: id.entity, key: id.key)
  }

  /// The pairs of files of which one lacks a save to both that the other one has; empty if there are none,
  /// and for a datastore of one store. Reads the files.
  ///
  /// - Throws: `StoreError` when a file cannot be read.
  public func incompleteSaves() throws -> [IncompleteSave] {
    try storeSet?.engine.incompleteSaves() ?? []
  }

  private func onlyStore(besides store: StoreDescription) -> StoreError {
    .sharedEntities(
      schema.entities.map(\.name).sorted(), store: store.name,
      other: url?.path ?? "the store in memory")
  }

  /// Runs blocking work on a thread of its own.
  ///
  /// - Parameter work: receives a closure that returns whether the task was cancelled.
  private static func inBackground<Result: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Result
  ) async throws -> Result {
    let isCancelled = Lock(false)
    return try await withTaskCancellationHandler {
      try await BlockingWork.run {
        Swift.Result { try work { isCancelled.withLock { $0 } } }
      }.get()
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }
}

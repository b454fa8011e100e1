import DatastoreCore
import Dispatch
public import Foundation
import SwiftDatastore

/// The result of adding a storage.
public typealias SetupResult<Storage> = Result<Storage, CoreStoreError>

/// Adding a storage.
extension DataStack {
  /// Adds the file named after this program, in its directory, and waits for it: `SQLiteStore()`.
  @discardableResult
  public func addStorageAndWait() throws -> SQLiteStore { try addStorageAndWait(SQLiteStore()) }

  /// Adds a storage, and waits for the file system. A file of another version of the model is migrated only
  /// with `.allowSynchronousLightweightMigration`, and only if no row is written for it.
  ///
  /// - Returns: the storage, or the one that the stack already has for the same file.
  /// - Throws: `CoreStoreError`: `asynchronousMigrationRequired` for a file that `addStorage` could migrate,
  ///   `severalStorages` when the stack has another one, either holds all entities, and the schema has no
  ///   configurations, `differentStorageExistsAtURL` when it has the file for other entities, `internalError`
  ///   with the error of SwiftDatastore.
  @discardableResult public func addStorageAndWait<Storage: StorageInterface>(
    _ storage: Storage
  ) throws -> Storage {
    try additions.sync {
      if let known = try known(storage) { return known }
      do {
        guard let datastore = try datastore(forPart: storage) else {
          let file = storage as? any LocalStorage
          return keep(
            storage, try file?.openAndWait(schemaHistory, options: options) ?? inMemory())
        }
        if storage.configuration == nil, let file = storage as? any LocalStorage {
          // The whole file is migrated to the schema like that of a stack with one storage.
          try file.openAndWait(schemaHistory, options: options).close()
        }
        let isAllowed = storage.localStorageOptions.contains(.allowSynchronousLightweightMigration)
        try datastore.addStore(storage.storeDescription, migration: isAllowed ? .instant : .none)
        return keep(storage, datastore)
      } catch {
        throw CoreStoreError(error, adding: storage)
      }
    }
  }

  /// Adds a storage in the background, and migrates a file that was created with another version of the
  /// model: in one transaction, with a copy of the old file next to it before a mapping runs or data is lost.
  ///
  /// - Parameters:
  ///   - storage: the storage.
  ///   - completion: called on the main actor with the result or the error of `addStorageAndWait(_:)`.
  /// - Returns: the progress of the migration, updated on the main actor; nil if there is nothing to migrate.
  ///   Key paths cannot be observed on this platform; use `setProgressHandler(_:)`.
  @discardableResult public func addStorage<Storage: StorageInterface>(
    _ storage: Storage,
    completion: @escaping @MainActor @Sendable (SetupResult<Storage>) -> Void
  ) -> Progress? {
    let progress = isMigrated(storage) ? Progress(totalUnitCount: -1) : nil
    additions.async { [self] in
      additions.suspend()
      Task {
        let result = await opened(storage, reportingTo: progress)
        additions.resume()
        DispatchQueue.main.async {
          MainActor.assumeIsolated {
            progress?.report(1)
            completion(result)
          }
        }
      }
    }
    return progress
  }

  /// If that cannot be determined, adding the storage reports the reason.
  private func isMigrated(_ storage: any StorageInterface) -> Bool {
    guard storage.configuration == nil, let file = storage as? any LocalStorage else {
      return false
    }
    return (try? !file.migrationSteps(schemaHistory).isEmpty) ?? false
  }

  private func opened<Storage: StorageInterface>(
    _ storage: Storage, reportingTo progress: Progress?
  ) async -> SetupResult<Storage> {
    do {
      if let known = try known(storage) { return .success(known) }
      if let datastore = try datastore(forPart: storage) {
        if storage.configuration == nil, let file = storage as? any LocalStorage {
          try await file.open(schemaHistory, options: options) { state in
            progress?.report(state.fractionCompleted)
          }.close()
        }
        try await datastore.openStore(storage.storeDescription, migration: .lossless)
        return .success(keep(storage, datastore))
      }
      let file = storage as? any LocalStorage
      let datastore = try await file?.open(schemaHistory, options: options) { state in
        progress?.report(state.fractionCompleted)
      }
      return .success(keep(storage, try datastore ?? inMemory()))
    } catch {
      return .failure(CoreStoreError(error, adding: storage))
    }
  }

  /// The storage that the stack has already, if it is the same file for the same entities.
  ///
  /// - Throws: `CoreStoreError` for one that cannot be added to the present ones.
  private func known<Storage: StorageInterface>(
    _ storage: Storage
  ) throws(CoreStoreError) -> Storage? {
    for former in added.withLock({ $0 })?.storages ?? [] {
      if former === storage { return storage }
      if let url = storage.fileURL, former.fileURL == url {
        guard former.configuration == storage.configuration, let same = former as? Storage else {
          throw .differentStorageExistsAtURL(existingPersistentStoreURL: url)
        }
        return same
      }
      if !hasConfigurations, former.configuration == nil || storage.configuration == nil {
        throw .severalStorages(
          existing: former.storeDescription.description,
          added: storage.storeDescription.description)
      }
    }
    return nil
  }

  private var hasConfigurations: Bool { !schemaHistory.current.schema.configurations.isEmpty }

  /// The datastore that one of several storages is added to; nil for the only one.
  private func datastore(forPart storage: some StorageInterface) throws -> SwiftDatastore? {
    guard storage.configuration != nil || hasConfigurations else { return nil }
    try (storage as? any LocalStorage)?.makeDirectory()
    return try added.withLock { $0 }?.datastore
      ?? SwiftDatastore(history: schemaHistory, stores: [], options: options)
  }

  private func inMemory() throws -> SwiftDatastore {
    try SwiftDatastore(inMemory: schemaHistory.current, options: options)
  }

  private func keep<Storage: StorageInterface>(
    _ storage: Storage, _ datastore: SwiftDatastore
  ) -> Storage {
    added.withLock { added in
      added = Added(storages: (added?.storages ?? []) + [storage], datastore: datastore)
    }
    return storage
  }
}

extension StorageInterface {
  fileprivate var fileURL: URL? { storeDescription.url }

  fileprivate var localStorageOptions: LocalStorageOptions {
    (self as? any LocalStorage)?.localStorageOptions ?? .none
  }
}

extension CoreStoreError {
  /// The reason why a storage could not be added.
  init(_ error: any Error, adding storage: any StorageInterface) {
    switch (error, storage) {
    case (let error as CoreStoreError, _): self = error
    case (let error as MigrationError, let storage as any LocalStorage)
    where error.obstacles.contains(where: \.isOfSeveralSteps):
      self = .progressiveMigrationRequired(localStoreURL: storage.fileURL)
    default: self = .internalError(error: error)
    }
  }
}

extension MigrationObstacle {
  fileprivate var isOfSeveralSteps: Bool { if case .severalSteps = self { true } else { false } }
}

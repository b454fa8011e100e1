import DatastoreCore
import Foundation
import SwiftDatastore

/// Opening a file with all entities, for `addStorageAndWait` and `addStorage`.
extension LocalStorage {
  func openAndWait(
    _ history: SchemaHistory, options: SwiftDatastore.Options
  ) throws -> SwiftDatastore {
    try makeDirectory()
    let isAllowed = localStorageOptions.contains(.allowSynchronousLightweightMigration)
    do {
      return try openAndWait(history, options, isAllowed ? .instant : .none)
    } catch  where isMismatch(error) {
      // A file that could be migrated in the background is not erased by a synchronous call.
      let obstacles = try obstacles(history)
      if obstacles.isEmpty {
        throw CoreStoreError.asynchronousMigrationRequired(localStoreURL: fileURL)
      }
      guard localStorageOptions.contains(.recreateStoreOnModelMismatch) else {
        throw MigrationError(path: fileURL.path, obstacles: obstacles)
      }
      return try openAndWait(history, options, .recreating)
    }
  }

  func open(
    _ history: SchemaHistory, options: SwiftDatastore.Options,
    progress: @escaping @MainActor @Sendable (DatastoreCore::MigrationProgress) -> Void
  ) async throws -> SwiftDatastore {
    try makeDirectory()
    do {
      return try await open(history, options, .lossless, progress)
    } catch let error as MigrationError {
      guard localStorageOptions.contains(.recreateStoreOnModelMismatch) else { throw error }
      return try await open(history, options, .recreating, progress)
    }
  }

  private func openAndWait(
    _ history: SchemaHistory, _ options: SwiftDatastore.Options, _ policy: MigrationPolicy
  ) throws -> SwiftDatastore {
    try SwiftDatastore(
      history: history, url: fileURL, options: options, mappings: migrationMappingProviders,
      migration: policy, preventProgressiveMigration: preventsProgressiveMigration)
  }

  private func open(
    _ history: SchemaHistory, _ options: SwiftDatastore.Options, _ policy: MigrationPolicy,
    _ progress: @escaping @MainActor @Sendable (DatastoreCore::MigrationProgress) -> Void
  ) async throws -> SwiftDatastore {
    try await SwiftDatastore.open(
      history: history, url: fileURL, options: options, mappings: migrationMappingProviders,
      migration: policy, preventProgressiveMigration: preventsProgressiveMigration,
      progress: progress)
  }

  /// Whether the file was created with another version of the model.
  private func isMismatch(_ error: any Error) -> Bool {
    if case StoreError.schemaMismatch = error { true } else { error is MigrationError }
  }

  var preventsProgressiveMigration: Bool {
    localStorageOptions.contains(.preventProgressiveMigration)
  }

  func makeDirectory() throws {
    try FileManager.default.createDirectory(
      at: fileURL.deletingLastPathComponent(), withIntermediateDirectories: true)
  }
}

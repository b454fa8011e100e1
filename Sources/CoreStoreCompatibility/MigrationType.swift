import DatastoreCore
public import Foundation
import SwiftDatastore

/// One step of the migration of a file to the current version of a model.
public enum MigrationType: Sendable, Hashable {
  /// There is nothing to do. In lists of steps, that is an empty list.
  case none(version: String)
  /// A step that follows from both versions.
  case lightweight(sourceVersion: String, destinationVersion: String)
  /// A step of which a `SchemaMappingProvider` does a part.
  case heavyweight(sourceVersion: String, destinationVersion: String)

  /// The version that the step begins with; empty if it has no name.
  public var sourceVersion: String {
    switch self {
    case .none(let version), .lightweight(let version, _), .heavyweight(let version, _): version
    }
  }

  /// The version that the step ends with; empty if it has no name.
  public var destinationVersion: String {
    switch self {
    case .none(let version), .lightweight(_, let version), .heavyweight(_, let version): version
    }
  }

  /// Whether it follows from both versions.
  public var isLightweightMigration: Bool { if case .lightweight = self { true } else { false } }

  /// Whether a `SchemaMappingProvider` does a part of it.
  public var isHeavyweightMigration: Bool { if case .heavyweight = self { true } else { false } }

  /// Whether there is anything to do.
  public var hasMigration: Bool { isLightweightMigration || isHeavyweightMigration }
}

/// The result of a migration: its steps.
public typealias MigrationResult = Result<[MigrationType], CoreStoreError>

/// Migrations without adding a storage.
extension DataStack {
  /// The steps that a file would take when it is added, found without writing it. Waits for the file system;
  /// reads the tables whose values decide. `SwiftDatastore.requiredMigrations(of:history:)` reports more.
  ///
  /// - Returns: the steps in their order; empty if there is nothing to migrate, or no file.
  /// - Throws: `MigrationError` with every obstacle; `StoreError` when the file cannot be read; `SchemaError`
  ///   if mappings and versions do not agree.
  public func requiredMigrationsForStorage(
    _ storage: some LocalStorage
  ) throws -> [MigrationType] {
    let obstacles = try storage.obstacles(schemaHistory)
    guard obstacles.isEmpty else {
      throw MigrationError(path: storage.fileURL.path, obstacles: obstacles)
    }
    return try storage.migrationSteps(schemaHistory).map(MigrationType.init)
  }

  /// Migrates a file in the background, without adding it. `addStorage(_:completion:)` also adds it.
  ///
  /// - Parameters:
  ///   - storage: the file.
  ///   - completion: called on the main actor with the completed steps, empty if there was nothing to
  ///     migrate, or the reason why the file is unchanged.
  /// - Returns: the progress; nil if there is nothing to migrate.
  /// - Throws: the errors of `requiredMigrationsForStorage(_:)`.
  @discardableResult public func upgradeStorageIfNeeded(
    _ storage: some LocalStorage,
    completion: @escaping @MainActor @Sendable (MigrationResult) -> Void
  ) throws -> Progress? {
    let steps = try requiredMigrationsForStorage(storage)
    let progress = steps.isEmpty ? nil : Progress(totalUnitCount: -1)
    Task { @MainActor in
      do {
        if let progress {
          let migrated = try await storage.open(schemaHistory, options: options) {
            progress.report($0.fractionCompleted)
          }
          try migrated.close()
          progress.report(1)
        }
        completion(.success(steps))
      } catch {
        completion(.failure(CoreStoreError(error, adding: storage)))
      }
    }
    return progress
  }
}

extension MigrationType {
  fileprivate init(_ step: MigrationStep) {
    self =
      step.isByHand
      ? .heavyweight(sourceVersion: step.source, destinationVersion: step.destination)
      : .lightweight(sourceVersion: step.source, destinationVersion: step.destination)
  }
}

extension LocalStorage {
  /// The steps of the file, found without reading values.
  func migrationSteps(_ history: SchemaHistory) throws -> [MigrationStep] {
    try SwiftDatastore.migrationSteps(
      of: fileURL, history: history, mappings: migrationMappingProviders)
  }

  /// The obstacles to migrating the file, however long the migration may take.
  func obstacles(_ history: SchemaHistory) throws -> [MigrationObstacle] {
    let forecast = try SwiftDatastore.requiredMigrations(
      of: fileURL, history: history, mappings: migrationMappingProviders,
      preventProgressiveMigration: preventsProgressiveMigration)
    return forecast.obstacles + forecast.losses.filter { !$0.isDeclared }.map { .loss($0) }
  }
}

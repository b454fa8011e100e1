import DatastoreCore
import Foundation
import SwiftDatastore

/// One step that a file takes to the current version of a model.
public enum MigrationType: Sendable, Hashable {
  /// A step that follows from both versions.
  case lightweight(sourceVersion: String, destinationVersion: String)
  /// A step of which a `SchemaMappingProvider` does a part by hand.
  case heavyweight(sourceVersion: String, destinationVersion: String)

  /// The version that the step begins with; empty where it has no name.
  public var sourceVersion: String { versions.source }

  /// The version that the step ends with; empty where it has no name.
  public var destinationVersion: String { versions.destination }

  private var versions: (source: String, destination: String) {
    switch self {
    case .lightweight(let source, let destination), .heavyweight(let source, let destination):
      (source, destination)
    }
  }

  /// Whether it follows from both versions.
  public var isLightweightMigration: Bool {
    if case .lightweight = self { true } else { false }
  }

  /// Whether a part of it is done by hand.
  public var isHeavyweightMigration: Bool { !isLightweightMigration }
}

/// Forecasting migrations.
extension DataStack {
  /// The steps that a file would take when it is added, found without writing it. Waits for the file system; reads the
  /// tables whose values decide. `SwiftDatastore.requiredMigrations(of:history:)` tells more.
  ///
  /// - Returns: the steps in their order; none where nothing is to be migrated, or there is no file.
  /// - Throws: `MigrationError` with everything that is in the way; `StoreError` when the file cannot be read;
  ///   `SchemaError` where mappings and versions do not agree.
  public func requiredMigrationsForStorage(
    _ storage: some LocalStorage
  ) throws -> [MigrationType] {
    let obstacles = try storage.obstacles(schemaHistory)
    guard obstacles.isEmpty else {
      throw MigrationError(path: storage.fileURL.path, obstacles: obstacles)
    }
    return try migrationSteps(of: storage)
  }

  /// The same without a look at values.
  func migrationSteps(of storage: some LocalStorage) throws -> [MigrationType] {
    guard FileManager.default.fileExists(atPath: storage.fileURL.path) else { return [] }
    let datastore = try SwiftDatastore(opening: storage.fileURL, readOnly: true)
    let (file, current) = (datastore.schema, schemaHistory.current)
    try datastore.close()
    let source = schemaHistory.version(of: file)
    if source?.schema === current.schema { return [] }
    let customs = storage.migrationMappingProviders.filter { !$0.entityMappings.isEmpty }
    let route = MigrationRoute(
      history: schemaHistory,
      customs: customs.map { CustomMigration(from: $0.sourceVersion, to: $0.destinationVersion) })
    guard let from = source?.modelVersion, let to = current.modelVersion,
      let way = route.way(from: from, to: to)
    else {
      // A file of another program is not migrated, and what no step leads on from is brought to the model at once.
      guard try storage.forecast(schemaHistory).hasMigration else { return [] }
      return [
        .lightweight(
          sourceVersion: file.version ?? "", destinationVersion: current.modelVersion ?? "")
      ]
    }
    return zip([from] + way, way).map { source, destination in
      customs.contains { $0.sourceVersion == source && $0.destinationVersion == destination }
        ? .heavyweight(sourceVersion: source, destinationVersion: destination)
        : .lightweight(sourceVersion: source, destinationVersion: destination)
    }
  }
}

extension LocalStorage {
  func forecast(_ history: SchemaHistory) throws -> MigrationForecast {
    try SwiftDatastore.requiredMigrations(
      of: fileURL, history: history, mappings: migrationMappingProviders,
      preventProgressiveMigration: preventsProgressiveMigration)
  }

  /// What keeps the file from being migrated, however long that may take.
  func obstacles(_ history: SchemaHistory) throws -> [MigrationObstacle] {
    let forecast = try forecast(history)
    return forecast.obstacles + forecast.losses.filter { !$0.isDeclared }.map { .loss($0) }
  }
}

public import Foundation
public import SwiftDatastore

/// A storage that is a SQLite file.
///
/// ```swift
/// SQLiteStore(fileName: "MyStore.sqlite", localStorageOptions: .recreateStoreOnModelMismatch)
/// ```
///
/// Every value is kept when the file is migrated, unless a version of the model says what it `removes:`.
public final class SQLiteStore: LocalStorage {
  public let fileURL: URL
  public let configuration: String?
  public var storeDescription: StoreDescription { .file(fileURL, configuration: configuration) }
  public let migrationMappingProviders: [any SchemaMappingProvider]
  public let localStorageOptions: LocalStorageOptions

  /// A file anywhere. Its directory is made when it is added to a stack.
  ///
  /// - Parameters:
  ///   - fileURL: the file.
  ///   - configuration: the name of the configuration whose entities it holds; nil for all of them.
  ///   - migrationMappingProviders: what is done by hand between two versions of the model.
  ///   - localStorageOptions: what may be done to a file of another version.
  public init(
    fileURL: URL, configuration: String? = nil,
    migrationMappingProviders: [any SchemaMappingProvider] = [],
    localStorageOptions: LocalStorageOptions = .none
  ) {
    self.fileURL = fileURL
    self.configuration = configuration
    self.migrationMappingProviders = migrationMappingProviders
    self.localStorageOptions = localStorageOptions
  }

  /// A file in the directory of this program, `$XDG_DATA_HOME/<program>`: `~/.local/share/<program>` without that
  /// variable.
  ///
  /// - Parameters:
  ///   - fileName: its name with its ending.
  ///   - configuration: the name of the configuration whose entities it holds; nil for all of them.
  ///   - migrationMappingProviders: what is done by hand between two versions of the model.
  ///   - localStorageOptions: what may be done to a file of another version.
  public convenience init(
    fileName: String, configuration: String? = nil,
    migrationMappingProviders: [any SchemaMappingProvider] = [],
    localStorageOptions: LocalStorageOptions = .none
  ) {
    self.init(
      fileURL: StoreLocation.programDirectory.appendingPathComponent(fileName),
      configuration: configuration, migrationMappingProviders: migrationMappingProviders,
      localStorageOptions: localStorageOptions
    )
  }

  /// The file in the directory of this program that is called like it, `<program>.sqlite`.
  public convenience init() {
    self.init(fileName: ProcessInfo.processInfo.processName + ".sqlite")
  }

  /// How many bytes the file has; nil where there is none.
  public func fileSize() -> UInt64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: fileURL.path)
    return (attributes?[.size] as? NSNumber)?.uint64Value
  }
}

extension SQLiteStore {
  public func openAndWait(
    _ history: SchemaHistory, options: SwiftDatastore.Options
  ) throws -> SwiftDatastore {
    try makeDirectory()
    let isAllowed = localStorageOptions.contains(.allowSynchronousLightweightMigration)
    do {
      return try openAndWait(history, options, isAllowed ? .instant : .none)
    } catch  where isMismatch(error) {
      // A file that could be migrated in the background is not erased for a caller that waits.
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

  public func open(
    _ history: SchemaHistory, options: SwiftDatastore.Options,
    progress: @escaping @MainActor @Sendable (MigrationProgress) -> Void
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
      migration: policy,
      preventProgressiveMigration: localStorageOptions.contains(.preventProgressiveMigration))
  }

  private func open(
    _ history: SchemaHistory, _ options: SwiftDatastore.Options, _ policy: MigrationPolicy,
    _ progress: @escaping @MainActor @Sendable (MigrationProgress) -> Void
  ) async throws -> SwiftDatastore {
    try await SwiftDatastore.open(
      history: history, url: fileURL, options: options, mappings: migrationMappingProviders,
      migration: policy,
      preventProgressiveMigration: localStorageOptions.contains(.preventProgressiveMigration),
      progress: progress)
  }

  /// Whether the file was made with another version of the model.
  private func isMismatch(_ error: any Error) -> Bool {
    if case StoreError.schemaMismatch = error { true } else { error is MigrationError }
  }
}

extension LocalStorage {
  func makeDirectory() throws {
    try FileManager.default.createDirectory(
      at: fileURL.deletingLastPathComponent(), withIntermediateDirectories: true)
  }
}

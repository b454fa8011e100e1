public import Foundation
public import SwiftDatastore

/// Where a `DataStack` keeps its objects: a `SQLiteStore` or an `InMemoryStore`.
public protocol StorageInterface: AnyObject, Sendable {
  /// The name of the configuration whose entities it holds; nil for all of them.
  var configuration: String? { get }
  /// What it is beside others: where it is, and which entities it holds.
  var storeDescription: StoreDescription { get }

  /// Opens it for a caller that waits.
  ///
  /// - Parameters:
  ///   - history: the versions of the model.
  ///   - options: how the datastore behaves.
  /// - Throws: what `SwiftDatastore` throws when it is opened; `MigrationError` also for what would take long.
  func openAndWait(
    _ history: SchemaHistory, options: SwiftDatastore.Options
  ) throws -> SwiftDatastore

  /// Opens it in the background.
  ///
  /// - Parameters:
  ///   - history: the versions of the model.
  ///   - options: how the datastore behaves.
  ///   - progress: called on the main actor while rows are written.
  /// - Throws: what `SwiftDatastore.open(history:url:)` throws.
  func open(
    _ history: SchemaHistory, options: SwiftDatastore.Options,
    progress: @escaping @MainActor @Sendable (MigrationProgress) -> Void
  ) async throws -> SwiftDatastore
}

/// A storage that is a file.
public protocol LocalStorage: StorageInterface {
  /// The file.
  var fileURL: URL { get }
  /// What is done by hand between two versions of the model.
  var migrationMappingProviders: [any SchemaMappingProvider] { get }
  /// What may be done to a file of another version.
  var localStorageOptions: LocalStorageOptions { get }
}

/// What may be done to a file that was made with another version of the model.
public struct LocalStorageOptions: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Nothing beside the rule: `addStorage` migrates, `addStorageAndWait` does not.
  public static let none: LocalStorageOptions = []
  /// Where no way leads from the file to the model, it is erased and made again: **all its objects are lost**.
  public static let recreateStoreOnModelMismatch = LocalStorageOptions(rawValue: 1 << 0)
  /// A file is refused that would take several steps of the migration chain.
  public static let preventProgressiveMigration = LocalStorageOptions(rawValue: 1 << 1)
  /// `addStorageAndWait` migrates, too, where no row is written for it.
  public static let allowSynchronousLightweightMigration = LocalStorageOptions(rawValue: 1 << 2)
}

/// A storage in memory: empty in the beginning, gone with its stack.
public final class InMemoryStore: StorageInterface {
  public let configuration: String?
  public var storeDescription: StoreDescription { .inMemory(configuration: configuration) }

  /// A storage in memory.
  ///
  /// - Parameter configuration: the name of the configuration whose entities it holds; nil for all of them.
  public init(configuration: String? = nil) { self.configuration = configuration }

  public func openAndWait(
    _ history: SchemaHistory, options: SwiftDatastore.Options
  ) throws -> SwiftDatastore {
    try SwiftDatastore(inMemory: history.current, options: options)
  }

  public func open(
    _ history: SchemaHistory, options: SwiftDatastore.Options,
    progress: @escaping @MainActor @Sendable (MigrationProgress) -> Void
  ) async throws -> SwiftDatastore {
    try openAndWait(history, options: options)
  }
}

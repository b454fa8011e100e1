public import Foundation
public import SwiftDatastore

/// Where a `DataStack` keeps its objects: a `SQLiteStore` or an `InMemoryStore`.
public protocol StorageInterface: AnyObject, Sendable, CoreStoreDebugStringConvertible {
  /// What Core Data calls it.
  static var storeType: String { get }
  /// The name of the configuration whose entities it holds; nil for all of them.
  var configuration: String? { get }
  /// What it is beside others: where it is, and which entities it holds.
  var storeDescription: StoreDescription { get }
}

extension StorageInterface {
  /// What it is beside others.
  public var debugDescription: String { storeDescription.description }
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
public struct LocalStorageOptions: OptionSet, ExpressibleByNilLiteral, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public init(nilLiteral: ()) { self = .none }

  /// Nothing beside the rule: `addStorage` migrates, `addStorageAndWait` does not.
  public static let none: LocalStorageOptions = []
  /// Where no way leads from the file to the model, it is erased and made again: **all its objects are
  /// lost**.
  public static let recreateStoreOnModelMismatch = LocalStorageOptions(rawValue: 1 << 0)
  /// A file is refused that would take several steps of the migration chain.
  public static let preventProgressiveMigration = LocalStorageOptions(rawValue: 1 << 1)
  /// `addStorageAndWait` migrates, too, where no row is written for it.
  public static let allowSynchronousLightweightMigration = LocalStorageOptions(rawValue: 1 << 2)
}

/// A storage in memory: empty in the beginning, gone with its stack.
public final class InMemoryStore: StorageInterface {
  public let configuration: String?
  /// What Core Data calls it.
  public static let storeType = "InMemory"
  public var storeDescription: StoreDescription { .inMemory(configuration: configuration) }

  /// A storage for the entities of a configuration; nil for all of them.
  public init(configuration: String? = nil) { self.configuration = configuration }
}

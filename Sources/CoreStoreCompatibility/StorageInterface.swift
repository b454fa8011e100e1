public import Foundation
public import SwiftDatastore

/// The place where a `DataStack` keeps its objects: a `SQLiteStore` or an `InMemoryStore`.
public protocol StorageInterface: AnyObject, Sendable, CoreStoreDebugStringConvertible {
  /// Core Data's name for it.
  static var storeType: String { get }
  /// The name of the configuration whose entities it holds; nil for all of them.
  var configuration: String? { get }
  /// Its identity among others: its location, and the entities that it holds.
  var storeDescription: StoreDescription { get }
}

extension StorageInterface {
  /// Its identity among others.
  public var debugDescription: String { storeDescription.description }
}

/// A storage that is a file.
public protocol LocalStorage: StorageInterface {
  /// The file.
  var fileURL: URL { get }
  /// Custom mappings between two versions of the model.
  var migrationMappingProviders: [any SchemaMappingProvider] { get }
  /// The permitted changes to a file of another version.
  var localStorageOptions: LocalStorageOptions { get }
}

/// The permitted changes to a file that was created with another version of the model.
public struct LocalStorageOptions: OptionSet, ExpressibleByNilLiteral, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public init(nilLiteral: ()) { self = .none }

  /// The default behaviour: `addStorage` migrates, `addStorageAndWait` does not.
  public static let none: LocalStorageOptions = []
  /// A file that cannot be migrated to the model is erased and recreated: **all its objects are lost**.
  public static let recreateStoreOnModelMismatch = LocalStorageOptions(rawValue: 1 << 0)
  /// Refuses a file that would take several steps of the migration chain.
  public static let preventProgressiveMigration = LocalStorageOptions(rawValue: 1 << 1)
  /// `addStorageAndWait` migrates, too, if no row is written for it.
  public static let allowSynchronousLightweightMigration = LocalStorageOptions(rawValue: 1 << 2)
}

/// A storage in memory: initially empty, and deleted with its stack.
public final class InMemoryStore: StorageInterface {
  public let configuration: String?
  /// Core Data's name for it.
  public static let storeType = "InMemory"
  public var storeDescription: StoreDescription { .inMemory(configuration: configuration) }

  /// A storage for the entities of a configuration; nil for all of them.
  public init(configuration: String? = nil) { self.configuration = configuration }
}

public import Foundation
public import SwiftDatastore

/// A storage that is a SQLite file. Every value is kept when the file is migrated, unless a version of the
/// model says what it `removes:`.
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

  /// A file in the directory of this program, `$XDG_DATA_HOME/<program>`: `~/.local/share/<program>` without
  /// that variable. The name has its ending; it is that of the program and `.sqlite` unless it is said. The
  /// rest is as above.
  public convenience init(
    fileName: String = ProcessInfo.processInfo.processName + ".sqlite",
    configuration: String? = nil, migrationMappingProviders: [any SchemaMappingProvider] = [],
    localStorageOptions: LocalStorageOptions = .none
  ) {
    self.init(
      fileURL: StoreLocation.programDirectory.appendingPathComponent(fileName),
      configuration: configuration, migrationMappingProviders: migrationMappingProviders,
      localStorageOptions: localStorageOptions)
  }

  /// A file in the data directory itself, where nothing separates it from those of other programs. The rest
  /// is as above.
  public static func legacy(
    fileName: String = DataStack.applicationName + ".sqlite", configuration: String? = nil,
    migrationMappingProviders: [any SchemaMappingProvider] = [],
    localStorageOptions: LocalStorageOptions = .none
  ) -> SQLiteStore {
    let directory = StoreLocation.programDirectory.deletingLastPathComponent()
    return SQLiteStore(
      fileURL: directory.appendingPathComponent(fileName), configuration: configuration,
      migrationMappingProviders: migrationMappingProviders,
      localStorageOptions: localStorageOptions)
  }

  /// What Core Data calls it.
  public static let storeType = "SQLite"

  /// How many bytes the file has; nil where there is none.
  public func fileSize() -> UInt64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: fileURL.path)
    return (attributes?[.size] as? NSNumber)?.uint64Value
  }
}

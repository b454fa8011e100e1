public import Foundation
public import SwiftDatastore

/// A storage that is a SQLite file. Every value is kept when the file is migrated, unless a version of the
/// model lists it in `removes:`.
public final class SQLiteStore: LocalStorage {
  public let fileURL: URL
  public let configuration: String?
  public var storeDescription: StoreDescription { .file(fileURL, configuration: configuration) }
  public let migrationMappingProviders: [any SchemaMappingProvider]
  public let localStorageOptions: LocalStorageOptions

  /// A file anywhere. Its directory is created when it is added to a stack.
  ///
  /// - Parameters:
  ///   - fileURL: the file.
  ///   - configuration: the name of the configuration whose entities it holds; nil for all of them.
  ///   - migrationMappingProviders: custom mappings between two versions of the model.
  ///   - localStorageOptions: the permitted changes to a file of another version.
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
  /// that variable. The name includes its extension; it is that of the program and `.sqlite` by default. The
  /// other parameters are as above.
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

  /// A file in the data directory itself, where nothing separates it from those of other programs. The other
  /// parameters are as above.
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

  /// Core Data's name for it.
  public static let storeType = "SQLite"

  /// The size of the file in bytes; nil if there is none.
  public func fileSize() -> UInt64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: fileURL.path)
    return (attributes?[.size] as? NSNumber)?.uint64Value
  }
}

public import Foundation

/// One of several stores of a datastore: its location, and its entities.
///
/// ```swift
/// let model = try SwiftDatastoreModel(
///   from: Note.self, Preview.self, configurations: ["Kept": [Note.self], "Cache": [Preview.self]])
/// let datastore = try SwiftDatastore(
///   dataModel: model,
///   stores: [.file(url, configuration: "Kept"), .inMemory(configuration: "Cache")])
/// ```
public struct StoreDescription: Sendable, Hashable, Codable {
  /// The file; nil in memory.
  public let url: URL?
  /// The name of the configuration whose entities it holds; nil for all entities.
  public let configuration: String?
  /// Whether it is read-only: the file must exist, and saving in it throws.
  public let isReadOnly: Bool

  /// A file, in a directory that exists.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - configuration: the name of the configuration whose entities it holds; nil for all entities.
  ///   - readOnly: whether the store is only read: the file must exist, and saving in it throws.
  public static func file(
    _ url: URL, configuration: String? = nil, readOnly: Bool = false
  ) -> StoreDescription {
    StoreDescription(
      url: url.resolvingSymlinksInPath().standardizedFileURL, configuration: configuration,
      isReadOnly: readOnly)
  }

  /// A store in memory, which ends with the datastore.
  ///
  /// - Parameter configuration: the name of the configuration whose entities it holds; nil for all entities.
  public static func inMemory(configuration: String? = nil) -> StoreDescription {
    StoreDescription(url: nil, configuration: configuration, isReadOnly: false)
  }
}

extension StoreDescription: CustomStringConvertible {
  /// The path of the file, or that it is in memory, with the configuration.
  public var description: String {
    configuration.map { "\(name) (\($0))" } ?? name
  }

  /// The name in error messages.
  package var name: String { url?.path ?? "the store in memory" }
}

/// Some of several stores.
package enum StoreSelection: Sendable, Hashable, Codable {
  case stores([StoreDescription])
  /// The stores that were added for the given configurations; nil stands for the store of all entities.
  case configurations([String?])

  package func contains(_ store: StoreDescription) -> Bool {
    switch self {
    case .stores(let stores): stores.contains(store)
    case .configurations(let names): names.contains(store.configuration)
    }
  }

  /// The names in error messages.
  package var names: [String] {
    switch self {
    case .stores(let stores): stores.map(\.description)
    case .configurations(let names):
      names.map { name in name.map { "the configuration “\($0)”" } ?? "the store of all entities" }
    }
  }
}

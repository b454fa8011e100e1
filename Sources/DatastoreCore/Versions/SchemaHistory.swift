/// All versions of a model that a program knows, and their order.
///
/// ```swift
/// let history = try SchemaHistory(
///   V1.schema, V2.schema, V3.schema, migrationChain: ["V1", "V2", "V3"])
/// ```
///
/// A file is recognised by its entities, whatever version name it has.
public struct SchemaHistory: Sendable {
  /// In the order in which they were given.
  public let versions: [any DynamicSchema]
  /// The order of the versions.
  public let migrationChain: MigrationChain
  /// The version that files should have.
  public let current: any DynamicSchema

  /// The name of the version that files should have; empty for a model without one.
  public var currentModelVersion: String { current.modelVersion ?? "" }

  /// Creates a history of the versions of a model.
  ///
  /// - Parameters:
  ///   - versions: each with a name, unless there is only one.
  ///   - migrationChain: the order of the versions.
  ///   - exactCurrentModelVersion: the version that files should have; if nil, the only one, or the only last
  ///     one of the chain.
  /// - Throws: `SchemaError` with every fault: missing or duplicate names, versions with the same entities,
  ///   unknown versions in the chain, cycles, versions with several successors, and no or several current
  ///   versions.
  public init(
    _ versions: [any DynamicSchema], migrationChain: MigrationChain = nil,
    exactCurrentModelVersion: String? = nil
  ) throws {
    var faults = Self.nameFaults(versions) + Self.equalityFaults(versions)
    faults += migrationChain.faults
    let known = Set(versions.compactMap(\.modelVersion))
    faults += migrationChain.versions.filter { !known.contains($0) }.map {
      "The migration chain names the version “\($0)”, which is not in the history; add it, or correct the name."
    }
    let current = Self.current(versions, migrationChain, exactCurrentModelVersion, &faults)
    guard faults.isEmpty, let current else {
      throw SchemaError(faults: faults.map { .invalidHistory($0) })
    }
    self.versions = versions
    self.migrationChain = migrationChain
    self.current = current
  }

  /// Creates a history from a list of arguments.
  public init(
    _ versions: any DynamicSchema..., migrationChain: MigrationChain = nil,
    exactCurrentModelVersion: String? = nil
  ) throws {
    try self.init(
      versions, migrationChain: migrationChain, exactCurrentModelVersion: exactCurrentModelVersion)
  }

  /// The version with a name; nil when there is none. O(versions).
  public func version(named name: String) -> (any DynamicSchema)? {
    versions.first { $0.modelVersion == name }
  }

  /// The version with the tables of a schema, such as that in a file; nil if it is not known. O(entities).
  public func version(of schema: Schema) -> (any DynamicSchema)? {
    let tables = schema.tableHashes
    return versions.first { $0.schema.tableHashes == tables }
  }

  /// The versions that a file of one version passes on the way to the current one, without its own; nil if
  /// the chain does not lead there.
  public func way(from version: any DynamicSchema) -> [any DynamicSchema]? {
    guard let source = version.modelVersion, let destination = current.modelVersion else {
      return version.schema === current.schema ? [] : nil
    }
    return migrationChain.way(from: source, to: destination)?
      .compactMap { self.version(named: $0.destination) }
  }

  private static func nameFaults(_ versions: [any DynamicSchema]) -> [String] {
    var faults: [String] = []
    if versions.isEmpty { faults.append("The history has no version; give it at least one.") }
    if versions.count > 1 {
      faults += versions.enumerated().filter { $1.modelVersion == nil }.map {
        "Version \($0.offset + 1) of the history has no name; give it one with `version:`."
      }
    }
    var seen: Set<String> = []
    var reported: Set<String> = []
    for name in versions.compactMap(\.modelVersion)
    where !seen.insert(name).inserted && reported.insert(name).inserted {
      faults.append("Two versions of the history are called “\(name)”; rename one of them.")
    }
    return faults
  }

  private static func equalityFaults(_ versions: [any DynamicSchema]) -> [String] {
    var faults: [String] = []
    for (index, version) in versions.enumerated() {
      let tables = version.schema.tableHashes
      for other in versions[..<index] where other.schema.tableHashes == tables {
        // A duplicate name is already reported.
        if let name = version.modelVersion, name == other.modelVersion { continue }
        faults.append(
          "The versions “\(other.modelVersion ?? "")” and “\(version.modelVersion ?? "")” have the same "
            + "entities, so that a file could be either; remove one of them, or give it a `hashModifier`."
        )
      }
    }
    return faults
  }

  private static func current(
    _ versions: [any DynamicSchema], _ chain: MigrationChain, _ name: String?,
    _ faults: inout [String]
  ) -> (any DynamicSchema)? {
    if let name {
      let named = versions.first { $0.modelVersion == name }
      if named == nil {
        faults.append(
          "The current version “\(name)” is not in the history; add it, or correct the name.")
      }
      return named
    }
    if versions.count < 2 { return versions.first }
    let last = chain.lastVersions
    if last.count == 1 { return versions.first { $0.modelVersion == last[0] } ?? versions.first }
    // A cycle has no last version, and is already reported.
    if !last.isEmpty || chain.versions.isEmpty {
      faults.append(
        (last.isEmpty
          ? "Nothing says which version of the history is the current one"
          : "The migration chain ends in \(last.map { "“\($0)”" }.joined(separator: " and "))")
          + "; name the current one with `exactCurrentModelVersion`.")
    }
    return versions.first
  }
}

extension Schema {
  /// The fingerprints of the tables, by name of entity.
  fileprivate var tableHashes: [String: Fingerprint] {
    EntityHash.all(entities.map(\.description)).mapValues(\.tables)
  }
}

/// A version of a model, described by classes (`SwiftDatastoreModel`), or by a recorded description
/// (`FrozenSchema`).
public protocol DynamicSchema: Sendable {
  /// The name of the version; nil for a model that has none.
  var modelVersion: String? { get }
  /// The entities.
  var schema: Schema { get }
}

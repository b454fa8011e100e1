import DatastoreCore
public import Foundation

/// Stores of a model whose versions are all known.
///
/// ```swift
/// let history = try SchemaHistory(V1.model, V2.model, V3.model, migrationChain: ["V1", "V2", "V3"])
/// let datastore = try await SwiftDatastore.open(history: history, url: url)
/// ```
///
/// A history is needed when custom code runs between two versions (`CustomSchemaMappingProvider`), and when
/// names have changed more than once, for example when two properties have swapped names twice. Everything
/// else follows from the schema in the file.
///
/// A file is recognised by its entities. It takes the shortest path along the chain and the mappings to the
/// current version, in one transaction. If the history does not have the file's version, or no path leads on
/// from it, the file is migrated to the current version directly, as without a history. A file of a later
/// version is refused: a version that the history lists as later, a version that left the current one behind
/// on its way, or a version of unknown name whose file was once of a version of the history. So give the
/// newer program a history, too: the file remembers which versions it has passed, and older programs without
/// a history of their own refuse it.
extension SwiftDatastore {
  /// Opens or creates a store of the current version of a history. Waits for the file system.
  ///
  /// - Parameters:
  ///   - history: the versions. If the current one is not a `SwiftDatastoreModel`, objects are
  ///     `DynamicObject`s.
  ///   - url: the file, in a directory that exists.
  ///   - readOnly: whether the store is only read: the file must exist and be of the current version, and
  ///     saving throws.
  ///   - options: how the datastore behaves.
  ///   - mappings: the custom mappings between two versions.
  ///   - migration: the permitted changes to a file of another version; by default only changes that touch no
  ///     row.
  ///   - preventProgressiveMigration: whether to refuse a file that needs several steps of the chain.
  /// - Throws: `MigrationError` with everything that prevents the migration; `SchemaError` with every
  ///   disagreement between mappings and versions; `StoreError`.
  public convenience init(
    history: SchemaHistory, url: URL, readOnly: Bool = false, options: Options = Options(),
    mappings: [any SchemaMappingProvider] = [], migration: MigrationPolicy = .instant,
    preventProgressiveMigration: Bool = false
  ) throws {
    try self.init(
      version: history.current, url: url, readOnly: readOnly, isTemporary: false, options: options,
      migration: Self.request(
        history, mappings, migration, preventProgressiveMigration, at: url, .besideTheFile))
  }

  /// Opens or creates a store of the current version of a history, in the background, never on the main
  /// actor.
  ///
  /// The whole path is one transaction: however it ends, the file is the old one or the new one, complete.
  /// Cancelling the task rolls it back.
  ///
  /// - Parameters:
  ///   - history: the versions. If the current one is not a `SwiftDatastoreModel`, objects are
  ///     `DynamicObject`s.
  ///   - url: the file, in a directory that exists.
  ///   - options: how the datastore behaves.
  ///   - mappings: the custom mappings between two versions.
  ///   - migration: the permitted changes to a file of another version. Every value is kept, unless you
  ///     declare which values may be lost.
  ///   - preventProgressiveMigration: whether to refuse a file that needs several steps of the chain.
  ///   - backup: where to copy the old file before a mapping runs or anything in it is lost.
  ///   - progress: called on the main actor whenever some thousand rows are written.
  /// - Throws: `MigrationError` with everything that prevents the migration; `SchemaError` with every
  ///   disagreement between mappings and versions; `StoreError`; `CancellationError`.
  public static func open(
    history: SchemaHistory, url: URL, options: Options = Options(),
    mappings: [any SchemaMappingProvider] = [], migration: MigrationPolicy = .lossless,
    preventProgressiveMigration: Bool = false, backup: MigrationBackup = .besideTheFile,
    progress: (@MainActor @Sendable (MigrationProgress) -> Void)? = nil
  ) async throws -> SwiftDatastore {
    var request = try request(
      history, mappings, migration, preventProgressiveMigration, at: url, backup)
    if let progress { request.progress = onMain(progress) }
    return try await open(history.current, url, options, request)
  }

  /// The forecast of migrating a file to the current version of a history. Does not write the file. Waits for
  /// the file system; reads the tables whose values matter.
  ///
  /// - Returns: the changes with their numbers of rows, the losses, and the obstacles. Only the first step is
  ///   checked against the file: losses and obstacles of later steps show when these run.
  /// - Throws: `StoreError` when the file cannot be read; `SchemaError`.
  public static func requiredMigrations(
    of url: URL, history: SchemaHistory, mappings: [any SchemaMappingProvider] = [],
    preventProgressiveMigration: Bool = false
  ) throws -> MigrationForecast {
    try forecast(
      of: history.current.schema, at: url,
      request(
        history, mappings, .lossless, preventProgressiveMigration, at: url,
        .besideTheFile))
  }

  /// The steps that take a file to the current version of a history, found without writing it. Waits for the
  /// file system.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - history: the versions and their order.
  ///   - mappings: the custom mappings between two of them.
  /// - Returns: the steps in their order; empty if there is nothing to do or no file. A file that is of no
  ///   version of the history, such as a third-party file, takes a single step.
  /// - Throws: `StoreError` when the file cannot be read; `SchemaError` when mappings and versions disagree.
  public static func migrationSteps(
    of url: URL, history: SchemaHistory, mappings: [any SchemaMappingProvider] = []
  ) throws -> [MigrationStep] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    let datastore = try SwiftDatastore(opening: url, readOnly: true)
    let (file, current) = (datastore.schema, history.current)
    try datastore.close()
    let source = history.version(of: file)
    if source?.schema === current.schema { return [] }
    let byHand = mappings.filter { !$0.entityMappings.isEmpty }
    let route = MigrationRoute(
      history: history,
      customs: byHand.map { CustomMigration(from: $0.sourceVersion, to: $0.destinationVersion) })
    guard let from = source?.modelVersion, let to = current.modelVersion,
      let way = route.way(from: from, to: to)
    else {
      guard try requiredMigrations(of: url, history: history, mappings: mappings).hasMigration
      else { return [] }
      return [
        MigrationStep(
          source: file.version ?? "", destination: current.modelVersion ?? "", isByHand: false)
      ]
    }
    return zip([from] + way, way).map { source, destination in
      MigrationStep(
        source: source, destination: destination,
        isByHand: byHand.contains {
          $0.sourceVersion == source && $0.destinationVersion == destination
        })
    }
  }

  static func request(
    _ history: SchemaHistory, _ mappings: [any SchemaMappingProvider], _ policy: MigrationPolicy,
    _ preventsProgressiveMigration: Bool, at url: URL, _ backup: MigrationBackup
  ) throws -> MigrationRequest {
    var request = request(history.current, policy, at: url, backup: backup)
    request.route = try MigrationRoute(
      history, mappings, preventsProgressiveMigration: preventsProgressiveMigration)
    return request
  }

  /// The request for a store that is not a file.
  package static func request(
    _ history: SchemaHistory, _ mappings: [any SchemaMappingProvider], _ policy: MigrationPolicy,
    preventsProgressiveMigration: Bool
  ) throws -> MigrationRequest {
    var request = request(history.current, policy)
    request.route = try MigrationRoute(
      history, mappings, preventsProgressiveMigration: preventsProgressiveMigration)
    return request
  }
}

/// One step of a file from a version of its model to the next one.
public struct MigrationStep: Sendable, Hashable {
  /// The version before the step; empty if it has no name.
  public let source: String
  /// The version after the step; empty if it has no name.
  public let destination: String
  /// Whether a `SchemaMappingProvider` takes part in it.
  public let isByHand: Bool
}

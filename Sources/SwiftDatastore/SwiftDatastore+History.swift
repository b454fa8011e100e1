import DatastoreCore
public import Foundation

/// Stores of a model of which all versions are known.
///
/// ```swift
/// let history = try SchemaHistory(V1.model, V2.model, V3.model, migrationChain: ["V1", "V2", "V3"])
/// let datastore = try await SwiftDatastore.open(history: history, url: url)
/// ```
///
/// A history is needed where something is done by hand between two versions (`CustomSchemaMappingProvider`),
/// and where names have come and gone, such as two properties that have swapped theirs twice. Everything else
/// follows from the schema in the file.
///
/// A file is recognised by its entities. It goes the shortest way that the chain and the mappings have to the
/// current version, in one transaction. A file of a version that is not in the history, or from which no way
/// leads on, is brought to the current version directly, as it would be without a history. One of a version
/// that comes after the current one is refused: one that the history says so of, one that has left the
/// current version behind on its way, and one of an unknown name that was of a version of the history before.
/// So give the newer program a history, too: what it passes is remembered in the file, and older programs
/// without a history of their own are refused by that.
extension SwiftDatastore {
  /// Opens or creates a store of the current version of a history. Waits for the file system.
  ///
  /// - Parameters:
  ///   - history: the versions. Where the current one is not a `SwiftDatastoreModel`, objects are
  ///     `DynamicObject`s.
  ///   - url: the file, in a directory that exists.
  ///   - readOnly: look only: the file must exist and be of the current version, and saving throws.
  ///   - options: how the datastore behaves.
  ///   - mappings: the mappings by hand between two versions.
  ///   - migration: what may be done to a file of another version; what touches no row, unless you say
  ///     otherwise.
  ///   - preventProgressiveMigration: whether a file is refused that would take several steps of the chain.
  /// - Throws: `MigrationError` with everything that is in the way; `SchemaError` with everything in which
  ///   mappings and versions do not agree; `StoreError`.
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
  /// The whole way is one transaction: however it ends, the file is the old one or the new one, complete.
  /// Cancelling the task rolls it back.
  ///
  /// - Parameters:
  ///   - history: the versions. Where the current one is not a `SwiftDatastoreModel`, objects are
  ///     `DynamicObject`s.
  ///   - url: the file, in a directory that exists.
  ///   - options: how the datastore behaves.
  ///   - mappings: the mappings by hand between two versions.
  ///   - migration: what may be done to a file of another version. Every value is kept, unless you declare
  ///     what may be lost.
  ///   - preventProgressiveMigration: whether a file is refused that would take several steps of the chain.
  ///   - backup: where the old file is copied to before a mapping runs, or something in it is lost.
  ///   - progress: called on the main actor whenever some thousand rows are written.
  /// - Throws: `MigrationError` with everything that is in the way; `SchemaError` with everything in which
  ///   mappings and versions do not agree; `StoreError`; `CancellationError`.
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

  /// The forecast of migrating a file to the current version of a history. Does not write the file. Waits
  /// for the file system; reads the tables whose values decide.
  ///
  /// - Returns: the changes with their numbers of rows, the losses, and the obstacles. Only the
  ///   first step is looked at in the file: what later ones lose or find in the way is seen when they are
  ///   done.
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

  /// The steps that a file would take to the current version of a history, found without writing it. Waits
  /// for the file system.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - history: the versions, and the order in which they came.
  ///   - mappings: the mappings by hand between two of them.
  /// - Returns: the steps in their order; none where there is nothing to do, or no file. One step leads from
  ///   what no version is of: a file of another program, or of a version that the history does not have.
  /// - Throws: `StoreError` when the file cannot be read; `SchemaError` where mappings and versions do not
  ///   agree.
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

  /// The same for a store that is in no file.
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

/// One step that a file takes from a version of its model to the next one.
public struct MigrationStep: Sendable, Hashable {
  /// The version that the step begins with; empty where it has no name.
  public let source: String
  /// The version that the step ends with; empty where it has no name.
  public let destination: String
  /// Whether a `SchemaMappingProvider` does a part of it.
  public let isByHand: Bool
}

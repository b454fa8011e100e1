import DatastoreCore
import DatastoreSQLite
import Dispatch
public import Foundation

/// Where the old file is copied to before a migration that loses data.
public enum MigrationBackup: Sendable, Hashable {
  /// Beside the file, as `NAME.before-migration.sqlite`, with a number if that exists.
  case besideTheFile
  /// A new file.
  case at(URL)
  /// No copy is kept.
  case none
}

/// Stores that were made with another version of their model.
extension SwiftDatastore {
  /// Opens or creates a store, and migrates it if it was made with another version of the model. Works in the
  /// background, never on the main actor.
  ///
  /// The migration is one transaction: however it ends, the file is the old one or the new one, complete.
  /// Cancelling the task rolls it back.
  ///
  /// ```swift
  /// let datastore = try await SwiftDatastore.open(dataModel: model, url: url) { progress in
  ///   print("\(progress.rowsDone) of \(progress.rowsTotal)")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - dataModel: the classes.
  ///   - url: the file, in a directory that exists.
  ///   - options: how the datastore behaves.
  ///   - migration: the permitted changes to a file of another version. Every value is kept, unless you
  ///     declare which values may be lost.
  ///   - backup: where to copy the old file before anything in it is lost.
  ///   - progress: called on the main actor whenever some ten thousand rows are written.
  /// - Throws: `MigrationError` with everything that prevents the migration; `StoreError`;
  ///   `CancellationError`.
  public static func open(
    dataModel: SwiftDatastoreModel, url: URL, options: Options = Options(),
    migration: MigrationPolicy = .lossless, backup: MigrationBackup = .besideTheFile,
    progress: (@MainActor @Sendable (MigrationProgress) -> Void)? = nil
  ) async throws -> SwiftDatastore {
    var request = request(dataModel, migration, at: url, backup: backup)
    if let progress { request.progress = onMain(progress) }
    return try await open(dataModel, url, options, request)
  }

  /// Calls `progress` on the main queue, which keeps the order of the calls.
  package static func onMain(
    _ progress: @escaping @MainActor @Sendable (MigrationProgress) -> Void
  ) -> @Sendable (MigrationProgress) -> Void {
    { state in DispatchQueue.main.async { MainActor.assumeIsolated { progress(state) } } }
  }

  /// Opens a store on a thread of its own, and rolls a migration back when the task is cancelled.
  static func open(
    _ version: any DynamicSchema, _ url: URL, _ options: Options, _ given: MigrationRequest
  ) async throws -> SwiftDatastore {
    try await open(given) { request in
      try SwiftDatastore(
        version: version, url: url, isTemporary: false, options: options, migration: request)
    }
  }

  /// Opens a store of any kind on a thread of its own, and rolls a migration back when the task is cancelled.
  package static func open(
    _ given: MigrationRequest,
    _ make: @escaping @Sendable (MigrationRequest) throws -> SwiftDatastore
  ) async throws -> SwiftDatastore {
    let isCancelled = Lock(false)
    var request = given
    request.isCancelled = { isCancelled.withLock { $0 } }
    return try await withTaskCancellationHandler { [request] in
      try await BlockingWork.run { Result { try make(request) } }.get()
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }

  /// The forecast of migrating a file to a model. Does not write the file. Waits for the file system; reads
  /// the tables whose values matter.
  ///
  /// - Returns: the changes with their numbers of rows, the losses, and the obstacles. `.none` if there is
  ///   nothing to do, also for a file that does not exist.
  /// - Throws: `StoreError` when the file cannot be read.
  public static func requiredMigrations(
    of url: URL, dataModel: SwiftDatastoreModel
  ) throws -> MigrationForecast {
    try forecast(
      of: dataModel.schema, at: url, request(dataModel, .lossless, at: url))
  }

  static func forecast(
    of schema: Schema, at url: URL, _ request: MigrationRequest
  ) throws -> MigrationForecast {
    try SQLiteStore.forecast(of: schema, at: url, request)
  }

  /// The migrations recorded in the store, oldest first: when, between which versions, by which program.
  /// Waits for the file system.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  public func migrationHistory() throws -> [MigrationRecord] {
    try coordinator.store.migrationHistory()
  }

  static func request(
    _ version: any DynamicSchema, _ policy: MigrationPolicy, at url: URL,
    backup: MigrationBackup = .besideTheFile
  ) -> MigrationRequest {
    var request = request(version, policy)
    switch backup {
    case .none: request.backupPath = nil
    case .at(let place): request.backupPath = place.path
    case .besideTheFile: request.backupPath = backupPath(beside: url)
    }
    return request
  }

  /// The request for a store that is not a file.
  package static func request(
    _ version: any DynamicSchema, _ policy: MigrationPolicy
  ) -> MigrationRequest {
    var request = MigrationRequest(policy: policy)
    request.initialValues = ModelTypes(version: version).initialValues
    return request
  }

  /// A path at which no file exists yet.
  package static func backupPath(beside url: URL) -> String {
    let name = url.deletingPathExtension().path
    let ending = url.pathExtension.isEmpty ? "sqlite" : url.pathExtension
    var path = "\(name).before-migration.\(ending)"
    var number = 2
    while FileManager.default.fileExists(atPath: path) {
      path = "\(name).before-migration-\(number).\(ending)"
      number += 1
    }
    return path
  }
}

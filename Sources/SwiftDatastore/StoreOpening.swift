import DatastoreCore
public import Foundation

/// A store that is being opened, and migrated if necessary: a sequence of its progress, and finally the
/// datastore.
///
/// ```swift
/// let opening = SwiftDatastore.opening(dataModel: model, url: url)
/// for await progress in opening {
///   print("step \(progress.step): \(progress.rowsDone) of \(progress.rowsTotal) rows")
/// }
/// let datastore = try await opening.datastore
/// ```
///
/// The sequence is empty when there is nothing to migrate. It ends when the store is open or opening has
/// failed. You can iterate over it once, or not at all.
public struct StoreOpening: AsyncSequence, Sendable {
  private let states: AsyncStream<MigrationProgress>
  private let task: Task<SwiftDatastore, any Error>

  package init(
    _ open:
      @escaping @Sendable (
        _ progress: @escaping @Sendable (MigrationProgress) -> Void
      ) async throws -> SwiftDatastore
  ) {
    let (states, continuation) = AsyncStream.makeStream(of: MigrationProgress.self)
    self.states = states
    task = Task {
      defer { continuation.finish() }
      return try await open { continuation.yield($0) }
    }
  }

  /// The datastore, once it is open. Cancelling the task that awaits it rolls the migration back.
  ///
  /// - Throws: the errors of `SwiftDatastore.open`; `CancellationError`.
  public var datastore: SwiftDatastore {
    get async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Rolls the migration back unless it has finished; `datastore` then throws `CancellationError`.
  public func cancel() { task.cancel() }

  public func makeAsyncIterator() -> AsyncStream<MigrationProgress>.Iterator {
    states.makeAsyncIterator()
  }
}

extension SwiftDatastore {
  /// Starts opening or creating a store in the background: `open(dataModel:url:)` with its progress as a
  /// sequence.
  public static func opening(
    dataModel: SwiftDatastoreModel, url: URL, options: Options = Options(),
    migration: MigrationPolicy = .lossless, backup: MigrationBackup = .besideTheFile
  ) -> StoreOpening {
    StoreOpening { progress in
      var request = request(dataModel, migration, at: url, backup: backup)
      request.progress = progress
      return try await open(dataModel, url, options, request)
    }
  }

  /// Starts opening or creating a store of a history in the background: `open(history:url:)` with its
  /// progress as a sequence.
  public static func opening(
    history: SchemaHistory, url: URL, options: Options = Options(),
    mappings: [any SchemaMappingProvider] = [], migration: MigrationPolicy = .lossless,
    preventProgressiveMigration: Bool = false, backup: MigrationBackup = .besideTheFile
  ) -> StoreOpening {
    StoreOpening { progress in
      var request = try request(
        history, mappings, migration, preventProgressiveMigration, at: url, backup)
      request.progress = progress
      return try await open(history.current, url, options, request)
    }
  }
}

import DatastoreCore
public import Foundation

/// A store that is being opened, and perhaps migrated: its progress as a sequence, and the datastore in the
/// end.
///
/// ```swift
/// let opening = SwiftDatastore.opening(dataModel: model, url: url)
/// for await progress in opening {
///   print("step \(progress.step): \(progress.rowsDone) of \(progress.rowsTotal) rows")
/// }
/// let datastore = try await opening.datastore
/// ```
///
/// The sequence has no elements where nothing is to be migrated, and ends when the store is open or could not
/// be opened. It can be read once, and need not be.
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

  /// The datastore, when it is open. Cancelling the task that waits for it rolls the migration back.
  ///
  /// - Throws: what `SwiftDatastore.open` throws; `CancellationError`.
  public var datastore: SwiftDatastore {
    get async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Rolls the migration back, unless it is done already; `datastore` then throws `CancellationError`.
  public func cancel() { task.cancel() }

  public func makeAsyncIterator() -> AsyncStream<MigrationProgress>.Iterator {
    states.makeAsyncIterator()
  }
}

extension SwiftDatastore {
  /// Begins to open or create a store in the background; `open(dataModel:url:)` with its progress as a
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

  /// Begins to open or create a store of a history in the background; `open(history:url:)` with its progress
  /// as a sequence.
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

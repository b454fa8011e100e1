public import SwiftDatastore

extension DataStack {
  /// The asynchronous functions: `try await dataStack.async.perform { transaction in … }`.
  public var async: AsyncNamespace { AsyncNamespace(base: self) }

  /// The asynchronous functions of a stack. All of them throw `CoreStoreError`.
  public struct AsyncNamespace: Sendable {
    /// The stack.
    public let base: DataStack
  }
}

extension DataStack.AsyncNamespace {
  /// Adds a storage in the background: `addStorage(_:completion:)`.
  @discardableResult
  public func addStorage<Storage: StorageInterface>(_ storage: Storage) async throws -> Storage {
    try await withCheckedThrowingContinuation { continuation in
      base.addStorage(storage) { continuation.resume(with: $0) }
    }
  }

  /// Adds a storage, and reports progress in a sequence; the last element is `finished`. Begins at once.
  /// Selected if a sequence is expected.
  @MainActor @_disfavoredOverload
  public func addStorage<Storage: LocalStorage>(
    _ storage: Storage
  ) -> AsyncThrowingStream<MigrationProgress<Storage>, any Error> {
    AsyncThrowingStream { continuation in
      base.addStorage(storage) { told in
        continuation.yield(with: told.mapError { $0 })
        if (try? told.get().isCompleted) ?? true { continuation.finish() }
      }
    }
  }

  /// A transaction: `perform(asynchronous:sourceIdentifier:completion:)`.
  @discardableResult public func perform<Output: Sendable>(
    _ asynchronous: @escaping @Sendable (AsynchronousDataTransaction) throws -> Output
  ) async throws -> Output { try await perform(asynchronous, sourceIdentifier: nil) }

  package func perform<Output: Sendable>(
    _ task: @escaping @Sendable (AsynchronousDataTransaction) throws -> Output,
    sourceIdentifier: (any Sendable)?
  ) async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
      base.perform(asynchronous: task, sourceIdentifier: sourceIdentifier) {
        continuation.resume(with: $0)
      }
    }
  }
}

/// Imports, each in a transaction of its own; the returned objects belong to the view context, and are nil if
/// the class skips the source.
@MainActor extension DataStack.AsyncNamespace {
  /// Creates an object from a source.
  @discardableResult public func importObject<O: ImportableObject>(
    _ into: Into<O>, source: O.ImportSource
  ) async throws -> O? where O.ImportSource: Sendable {
    try await importObjects(into, sourceArray: [source]).first
  }

  /// Gives an object the values of a source.
  @discardableResult public func importObject<O: ImportableObject>(
    _ object: O, source: O.ImportSource
  ) async throws -> O? where O.ImportSource: Sendable {
    let id = object.objectID
    try await perform { transaction in
      guard let own: O = try transaction.fetchExisting(id) else { return }
      try transaction.importObject(own, source: source)
    }
    return try base.fetchExisting(id)
  }

  /// Creates an object from each source.
  @discardableResult public func importObjects<O: ImportableObject>(
    _ into: Into<O>, sourceArray: some Sequence<O.ImportSource>
  ) async throws -> [O] where O.ImportSource: Sendable {
    let sources = Array(sourceArray)
    return try await naming { try await base.datastore.importObjects(O.self, from: sources) }
  }

  /// Updates the object of a source, or creates it.
  @discardableResult public func importUniqueObject<O: ImportableUniqueObject>(
    _ into: Into<O>, source: O.ImportSource
  ) async throws -> O? where O.ImportSource: Sendable {
    try await importUniqueObjects(into, sourceArray: [source]).first
  }

  /// Updates the objects of sources, and creates missing ones. `preProcess` receives all sources by their
  /// identifiers before any is imported, and returns those to import.
  @discardableResult public func importUniqueObjects<O: ImportableUniqueObject>(
    _ into: Into<O>, sourceArray: some Sequence<O.ImportSource>,
    preProcess: (@Sendable (_ sources: O.SourcesByID) throws -> O.SourcesByID)? = nil
  ) async throws -> [O] where O.ImportSource: Sendable {
    let sources = Array(sourceArray)
    return try await naming {
      try await base.datastore.importUniqueObjects(O.self, from: sources, preProcess: preProcess)
    }
  }

  private func naming<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch {
      throw CoreStoreError(ofTransaction: error)
    }
  }
}

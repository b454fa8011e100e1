import DatastoreCore

/// Importing in a transaction, for the user interface.
extension SwiftDatastore {
  /// Makes an object from each source in a transaction of its own, off the main actor.
  ///
  /// ```swift
  /// let visits = try await datastore.importObjects(Visit.self, from: lines)
  /// ```
  ///
  /// If someone else has changed the same properties, the import starts again, like any `write`. Cancelling
  /// the task ends it; nothing is saved then.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - sources: the sources of the objects.
  ///   - progress: called after every 1,000 sources and at the end, on the queue of the transaction.
  /// - Returns: the saved objects, as objects of the view context, in the order of their sources.
  /// - Throws: the errors of `importObjects(_:from:savingEvery:progress:)` and `write`.
  @MainActor
  @discardableResult
  public func importObjects<T: ImportableObject>(
    _ type: T.Type = T.self, from sources: [T.ImportSource],
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> [T] where T.ImportSource: Sendable {
    let ids = try await write { context in
      let objects = try context.importObjects(T.self, from: sources, progress: progress)
      try context.saveChanges()
      return objects.map(\.objectID)
    }
    return try sharedViewContext.objects(with: ids)
  }

  /// Updates the objects of sources, and creates those that do not exist, in a transaction of its own, off
  /// the main actor.
  ///
  /// ```swift
  /// let products = try await datastore.importUniqueObjects(Product.self, from: sources)
  /// ```
  ///
  /// If someone else has changed the same properties, the import starts again, like any `write`. Cancelling
  /// the task ends it; nothing is saved then.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - sources: the sources of the values.
  ///   - preProcess: receives all sources by their identifiers before any is imported, and returns the
  ///     sources to import; runs on the queue of the transaction.
  ///   - progress: called after every 1,000 objects and at the end, on the queue of the transaction.
  /// - Returns: the saved objects, as objects of the view context, in the order of their sources.
  /// - Throws: the errors of `importUniqueObjects(_:from:savingEvery:preProcess:progress:)` and `write`.
  @MainActor
  @discardableResult
  public func importUniqueObjects<T: ImportableUniqueObject>(
    _ type: T.Type = T.self, from sources: [T.ImportSource],
    preProcess: (@Sendable (_ sources: T.SourcesByID) throws -> T.SourcesByID)? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> [T] where T.ImportSource: Sendable {
    let ids = try await write { context in
      let objects = try context.importUniqueObjects(
        T.self, from: sources, preProcess: preProcess, progress: progress)
      try context.saveChanges()
      return objects.map(\.objectID)
    }
    return try sharedViewContext.objects(with: ids)
  }
}

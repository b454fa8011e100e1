public import SwiftDatastore

/// A transaction that is kept, and saves when it is asked to: a context that belongs where it was made.
public typealias UnsafeDataTransaction = SwiftDatastoreLocalContext

extension DataStack {
  /// A transaction that is kept: `newLocalContext()`. The compiler keeps it in one place.
  ///
  /// - Parameters:
  ///   - supportsUndo: whether `undo()` and `redo()` do anything. A transaction has no turns: what is
  ///     undone at once is everything since the last `flush()`, `commit()` or `undoGroup(_:)`.
  ///   - sourceIdentifier: the source of the changes, for observers.
  public func beginUnsafe(
    supportsUndo: Bool = false, sourceIdentifier: (any Sendable)? = nil
  ) throws(CoreStoreError) -> UnsafeDataTransaction {
    try datastore.newLocalContext().beginning(supportsUndo, sourceIdentifier)
  }
}

extension SwiftDatastoreLocalContext {
  /// A transaction inside this one, whose commits go one level up: `createNewChildContext()`.
  public func beginUnsafe(
    supportsUndo: Bool = false, sourceIdentifier: (any Sendable)? = nil
  ) -> UnsafeDataTransaction { createNewChildContext().beginning(supportsUndo, sourceIdentifier) }

  fileprivate func beginning(_ supportsUndo: Bool, _ sourceIdentifier: (any Sendable)?) -> Self {
    (isUndoEnabled, self.sourceIdentifier) = (supportsUndo, sourceIdentifier)
    return self
  }

  /// Saves what was changed so far, as often as you like; what could not be saved is still there, and can be
  /// saved again.
  public func commit() throws(CoreStoreError) {
    endUndoTurn()
    do { try saveChanges() } catch { throw CoreStoreError(ofTransaction: error) }
  }

  /// The same; on the main actor, what was saved is in the view context when it returns.
  public func commitAndWait() throws(CoreStoreError) {
    defer { viewContext?.mergeEverythingOnMain() }
    try commit()
  }

  /// The same as `commit()`, and calls the closure at once: with nil, or with why it was not saved.
  public func commit(_ completion: (CoreStoreError?) -> Void) {
    let saved = Swift.Result { () throws(CoreStoreError) in try commit() }
    if case .failure(let error) = saved { completion(error) } else { completion(nil) }
  }

  /// Discards what was changed since the last `commit()`: `revertChanges()`.
  public func rollback() { revertChanges() }

  /// Makes one undo group of what was changed so far.
  public func flush() { endUndoTurn() }

  /// Runs the closure, and makes one undo group of what was changed so far and in it.
  public func flush(closure: () throws -> Void) rethrows {
    defer { flush() }
    try closure()
  }
}

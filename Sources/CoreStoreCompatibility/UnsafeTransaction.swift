public import SwiftDatastore

/// A long-lived transaction that saves on request: a context that belongs to the place where it was created.
public typealias UnsafeDataTransaction = SwiftDatastoreLocalContext

extension DataStack {
  /// A long-lived transaction: `newLocalContext()`. The compiler keeps it in one place.
  ///
  /// - Parameters:
  ///   - supportsUndo: whether `undo()` and `redo()` have an effect. A transaction has no turns: one undo
  ///     reverts everything since the last `flush()`, `commit()` or `undoGroup(_:)`.
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

  /// Saves the changes made so far, as often as needed; changes that could not be saved are still staged, and
  /// can be saved again.
  public func commit() throws(CoreStoreError) {
    endUndoTurn()
    do { try saveChanges() } catch { throw CoreStoreError(ofTransaction: error) }
  }

  /// Like `commit()`; on the main actor, the saved changes are in the view context when it returns.
  public func commitAndWait() throws(CoreStoreError) {
    defer { viewContext?.mergeEverythingOnMain() }
    try commit()
  }

  /// Like `commit()`, but calls the closure at once: with nil, or with the reason why the changes were not
  /// saved.
  public func commit(_ completion: (CoreStoreError?) -> Void) {
    let saved = Swift.Result { () throws(CoreStoreError) in try commit() }
    if case .failure(let error) = saved { completion(error) } else { completion(nil) }
  }

  /// Discards the changes since the last `commit()`: `revertChanges()`.
  public func rollback() { revertChanges() }

  /// Makes one undo group of the changes so far.
  public func flush() { endUndoTurn() }

  /// Runs the closure, and makes one undo group of the changes so far and those in it.
  public func flush(closure: () throws -> Void) rethrows {
    defer { flush() }
    try closure()
  }
}

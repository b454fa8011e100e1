public import SwiftDatastore

/// A transaction that is kept, and saves whenever it is told: a context that belongs where it was made.
public typealias UnsafeDataTransaction = SwiftDatastoreLocalContext

extension DataStack {
  /// A transaction that is kept: `newLocalContext()`. The compiler keeps it in one place.
  ///
  /// - Parameters:
  ///   - supportsUndo: whether `undo()` and `redo()` do anything. A transaction has no turns: what is
  ///     undone at once is everything since the last `flush()`, `commit()` or `undoGroup(_:)`.
  ///   - sourceIdentifier: what those who observe the changes are told of their source.
  public func beginUnsafe(
    supportsUndo: Bool = false, sourceIdentifier: (any Sendable)? = nil
  ) throws(CoreStoreError) -> UnsafeDataTransaction {
    let transaction = try datastore.newLocalContext()
    transaction.isUndoEnabled = supportsUndo
    transaction.sourceIdentifier = sourceIdentifier
    return transaction
  }
}

extension SwiftDatastoreLocalContext {
  /// Saves what was changed so far, as often as you like; what could not be saved is still there, and can be saved again.
  public func commit() throws(CoreStoreError) {
    endUndoTurn()
    do {
      try saveChanges()
    } catch {
      throw CoreStoreError(ofTransaction: error)
    }
  }

  /// The same; on the main actor, what was saved is in the view context when it returns.
  public func commitAndWait() throws(CoreStoreError) {
    defer { viewContext?.mergeEverythingOnMain() }
    try commit()
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

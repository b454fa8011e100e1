import Basics
package import DatastoreCore

/// Reading one state of the store, whatever others save.
extension ObjectContext {
  /// Whether this context keeps to one state of the store. It becomes false by itself where the state that
  /// comes with a save of another context cannot be kept, since SQLite opens no further connection; the
  /// context reads the current state from then on.
  public var isQueryGenerationPinned: Bool { core.inbox.isPinned }

  /// Keeps this context reading the state that the store has now, until it merges.
  ///
  /// Without this, every fetch and every object that was not read yet shows the current state of the store,
  /// also by contexts whose changes are not merged here yet. A context that is pinned moves from state to
  /// state: with what others have saved, which it takes in at the next turn of its queue or actor, and with
  /// its own saves and batch operations, which take in what others have saved before them. In between,
  /// nothing that it fetches, no list and no relationship changes or goes.
  ///
  /// ```swift
  /// try context.pinQueryGeneration()
  /// let companies: [Company] = try context.fetch()
  /// for company in companies { report(company.employees) }  // of the same moment
  /// context.unpinQueryGeneration()
  /// ```
  ///
  /// Calling it again moves to the state that the store has now. It costs a connection for each state, so
  /// that every save of another context takes some tenths of a millisecond longer; and the log of the file
  /// grows with everything that is saved while the context stays at one state, since SQLite cannot checkpoint
  /// the log beyond it. So unpin a context when its work is done.
  ///
  /// Waits for a save that is just being written. Traps in a child context, which reads its parent.
  ///
  /// - Throws: `QueryGenerationError` for stores in memory or in a server, and for files that this library
  ///   has not made; `StoreError` when SQLite fails.
  public func pinQueryGeneration() throws {
    try core.pinQueryGeneration()
  }

  /// Lets this context read the current state of the store. Does nothing when it is not pinned. O(1).
  public func unpinQueryGeneration() {
    core.unpinQueryGeneration()
  }
}

/// A store cannot keep one of its states for a context.
public struct QueryGenerationError: Error, Sendable, CustomStringConvertible {
  /// The file of the store; nil in memory and in a server.
  public let path: String?
  /// Which store it is, and why.
  public let description: String
}

extension ContextCore {
  /// The store as this context reads it.
  package var readStore: any ReadableStore { pinned?.snapshot ?? coordinator.store }

  fileprivate func pinQueryGeneration() throws {
    require(!isChild, "a child context reads its parent; pin the query generation of that")
    try coordinator.pin(inbox)
    catchUp?()
  }

  fileprivate func unpinQueryGeneration() {
    inbox.unpin()
    pinned = nil
  }

  /// Merges what others have written: the next change, or all of them where the context is pinned, which
  /// then reads the state that they lead to.
  ///
  /// - Parameter merge: merges one change into the context.
  func arrive(_ merge: (MergeInbox.Change) -> Void) {
    let (snapshot, end, isPinned) = inbox.arrive()
    if let snapshot {
      pinned = PinnedStore(coordinator.store, at: snapshot)
    } else if !isPinned {
      pinned = nil
    }
    while let change = inbox.next(before: end) { merge(change) }
  }
}

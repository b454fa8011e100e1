import Basics
package import DatastoreCore

/// Reading one state of the store, regardless of saves by others.
extension ObjectContext {
  /// Whether this context reads a fixed state of the store. It becomes false when the state after another
  /// context's save cannot be kept, because SQLite opens no further connection; the context then reads the
  /// current state.
  public var isQueryGenerationPinned: Bool { core.inbox.isPinned }

  /// Keeps this context reading the current state of the store until it merges.
  ///
  /// Without pinning, every fetch and every fault shows the current state of the store, including saves of
  /// contexts whose changes are not merged here yet. A pinned context moves from state to state: with the
  /// saves of others, which it merges at the next turn of its queue or actor, and with its own saves and
  /// batch operations, which first merge the saves of others. In between, nothing that it fetches changes or
  /// disappears, no list and no relationship.
  ///
  /// ```swift
  /// try context.pinQueryGeneration()
  /// let companies: [Company] = try context.fetch()
  /// for company in companies { report(company.employees) }  // of the same moment
  /// context.unpinQueryGeneration()
  /// ```
  ///
  /// Calling it again moves to the current state of the store. Each state costs a connection, so that every
  /// save of another context takes some tenths of a millisecond longer; and the log of the file grows with
  /// every save while the context stays at one state, since SQLite cannot checkpoint the log beyond it. So
  /// unpin a context when its work is done.
  ///
  /// Waits for a save in progress. Traps in a child context, which reads its parent.
  ///
  /// - Throws: `QueryGenerationError` for stores in memory or in a server, and for files that this library
  ///   has not made; `StoreError` when SQLite fails.
  public func pinQueryGeneration() throws {
    try core.pinQueryGeneration()
  }

  /// Returns this context to reading the current state of the store. Does nothing when it is not pinned.
  /// O(1).
  public func unpinQueryGeneration() {
    core.unpinQueryGeneration()
  }
}

/// A store cannot keep one of its states for a context.
public struct QueryGenerationError: Error, Sendable, CustomStringConvertible {
  /// The file of the store; nil in memory and in a server.
  public let path: String?
  /// The store and the reason.
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

  /// Merges writes by others: the next change, or all of them if the context is pinned, which then reads the
  /// state after them.
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

import DatastoreCore
public import Dispatch

/// A context for work off the main actor, with a private serial queue.
///
/// All work happens inside `perform`; the closure receives the context's `Closure`, on which it creates,
/// fetches, changes and saves objects. Nothing is saved or reverted implicitly: staged changes stay staged
/// until `saveChanges()` or `revertChanges()`.
///
/// Sendable: the graph inside is touched only on the queue.
public final class SwiftDatastoreContext: @unchecked Sendable {
  /// The context's own queue.
  public let queue: DispatchQueue
  let closure: Closure
  let inbox: MergeInbox

  /// - Parameters:
  ///   - parent: the context that receives saves; nil for the store.
  ///   - seconds: how long it waits for its turn there.
  ///   - home: the queue it lives on; nil for a queue of its own.
  init(
    coordinator: StoreCoordinator, parent: SwiftDatastoreContext? = nil,
    waiting seconds: Double = QueuedParentStore.limit,
    on home: ContextQueue = ContextQueue(label: "SwiftDatastoreContext")
  ) {
    queue = home.queue
    let id = ReceiverID()
    closure = Closure(
      core: ContextCore(
        coordinator: coordinator, receiverID: id,
        parent: parent.map { QueuedParentStore($0, waiting: seconds) }))
    closure.core.graph.executor = home
    if coordinator.checksAccess {
      closure.core.graph.isAccessAllowed = { home.isCurrent }
    }
    inbox = closure.core.inbox
    if parent == nil {
      let core = closure.core
      core.graph.isAwaitingMerges = { [inbox] in !inbox.isEmpty }
      core.catchUp = { [unowned core] in core.arrive { $0(core.graph) } }
      coordinator.add(self, id: id)
    }
  }

  deinit {
    closure.core.coordinator.remove(closure.core.receiverID)
  }

  /// Creates a context with a queue of its own whose saves go into this one, one level up, and further only
  /// when this one saves. It sees the changes staged here. Children may nest to any depth.
  ///
  /// Saves of other contexts reach a child only when it reads or refreshes.
  ///
  /// A child reads and saves on the queue of its parent, and waits for its turn there. So never wait for a
  /// child inside `perform` of its parent: neither could continue. A child that has waited for a minute
  /// throws `ParentContextBusyError`.
  public func createNewChildContext() -> SwiftDatastoreContext {
    createNewChildContext(waiting: QueuedParentStore.limit)
  }

  /// - Parameter seconds: how long the child waits for its turn on this context's queue.
  package func createNewChildContext(waiting seconds: Double) -> SwiftDatastoreContext {
    SwiftDatastoreContext(
      coordinator: closure.core.coordinator, parent: self, waiting: seconds)
  }

  /// Runs `body` on the context's queue and waits for it. For children, which never run on that queue
  /// themselves.
  ///
  /// - Throws: `ParentContextBusyError` when the queue was not free in time; the errors of `body`.
  func turn<Result: Sendable>(
    waiting seconds: Double,
    _ body: @escaping @Sendable (ObjectGraph) throws -> Result
  ) throws -> Result {
    let turn = ParentTurn<Result>()
    queue.async { turn.run { try body(self.closure.core.graph) } }
    return try turn.wait(atMost: seconds)
  }

  /// The store of the datastore, at the root of all parents.
  var rootStore: any ObjectStore { closure.core.coordinator.store }

  /// Runs the closure on the context's queue and returns its result. Calls run one after the other, in the
  /// order they were made.
  ///
  /// Only Sendable results leave the queue, so objects cannot: return `objectID`s or values.
  ///
  /// - Throws: the errors of the closure; staged changes stay staged.
  @discardableResult
  public func perform<Result: Sendable>(
    _ block: @escaping @Sendable (Closure) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try block(self.closure) }) }
    }
  }

  /// Runs `block` on the context's queue, then `success`, or `failure` with the error that the block threw;
  /// all in one turn of the queue. Returns at once.
  ///
  /// Objects belong to the queue: an object kept in a variable outside traps when it is touched elsewhere.
  /// Closures that change local variables draw a warning, because that is a race unless the caller waits; the
  /// async form has no such trap.
  ///
  /// One of the callbacks is required. If neither were, the compiler would prefer this form at the top level
  /// of `main.swift`, even after `await`, and errors of the block would be lost.
  @preconcurrency
  public func perform(
    _ block: @escaping @Sendable (Closure) throws -> Void, success: (@Sendable () -> Void)? = nil,
    failure: @escaping @Sendable (any Error) -> Void
  ) {
    queue.async {
      do {
        try block(self.closure)
      } catch {
        failure(error)
        return
      }
      success?()
    }
  }

  /// Ignores the error of `block`.
  @preconcurrency
  public func perform(
    _ block: @escaping @Sendable (Closure) throws -> Void, success: @escaping @Sendable () -> Void
  ) {
    perform(block, success: success, failure: { _ in })
  }

  /// Runs `block` on the context's queue, then `completion`. Returns at once.
  @preconcurrency
  public func perform(
    _ block: @escaping @Sendable (Closure) -> Void, completion: @escaping @Sendable () -> Void
  ) {
    queue.async {
      block(self.closure)
      completion()
    }
  }
}

extension SwiftDatastoreContext {
  /// The context inside a `perform`, the only form in which it can be used. Belongs to the context's queue;
  /// using it elsewhere is the same mistake as using an object elsewhere.
  public final class Closure: ObjectContext {
    /// The context's graph and store.
    public let core: ContextCore

    init(core: ContextCore) {
      self.core = core
    }
  }
}

extension SwiftDatastoreContext: MergeReceiver {
  func enqueueMerge(_ saved: SavedChanges, leaving snapshot: (any StoreSnapshot)?) {
    enqueue(snapshot) { [log = closure.core.coordinator.log] graph in
      let start = log.now(.trace)
      graph.merge(saved)
      if !saved.sideChanges.isEmpty {
        graph.refresh(saved.sideChanges, from: saved.origin.source)
      }
      log(.trace, .merged(saved), since: start)
    }
  }

  func enqueueRefresh(
    _ changed: MergedKeys, from source: ChangeSource, leaving snapshot: (any StoreSnapshot)?
  ) {
    enqueue(snapshot) { [log = closure.core.coordinator.log] graph in
      let start = log.now(.trace)
      graph.refresh(changed, from: source)
      log(.trace, .merged(rows: changed.rowCount, source: source), since: start)
    }
  }

  private func enqueue(_ snapshot: (any StoreSnapshot)?, _ change: @escaping MergeInbox.Change) {
    inbox.append(snapshot, change)
    queue.async {
      let core = self.closure.core
      core.arrive { $0(core.graph) }
    }
  }
}

import Basics
import DatastoreCore
import Dispatch

/// Transactions: work that is saved as a whole, one transaction after the other.
extension SwiftDatastore {
  /// How often a transaction runs again after a conflict, by default.
  public static let defaultRetries = 16

  /// Runs a transaction in a context of its own: saves when the closure returns, discards everything when it
  /// throws.
  ///
  /// ```swift
  /// try await datastore.write { context in
  ///   let account: Account? = try context.fetchFirst(where: \.$name == "Ann")
  ///   account?.balance += 10
  /// }
  /// ```
  ///
  /// The transactions of a datastore run one after the other, in the order of the calls, on a queue of their
  /// own. Each reads the state after the one before it, so no two of them can conflict.
  ///
  /// A context or another process may still change a property that the closure has read and changed, even to
  /// the same value. Then nothing is saved, and **the closure runs again** from the start in a new context:
  /// do everything outside the store afterwards. A closure that has called `saveChanges()` itself, or a batch
  /// operation, does not run again.
  ///
  /// Before each repetition the transaction waits for a random time: at most 1 ms before the first one, then
  /// twice as long each time, and never more than 64 ms. All 16 pauses together take at most 0.8 s, during
  /// which later transactions wait, too. That is enough for two programs that change one row without a break,
  /// but not for any number of them: if all repetitions have met a conflict, `ConflictError` is thrown, and
  /// nothing was saved.
  ///
  /// Long work that should run beside other work belongs in a `newContext()`.
  ///
  /// Cancelling the task stops the write, however long a trigger of the file may take, and rolls it back.
  ///
  /// - Parameters:
  ///   - retries: how often the closure may run again; `ConflictError` is thrown after that.
  ///   - block: the work of the transaction.
  /// - Returns: the result of the closure.
  /// - Throws: the errors of the closure and of `saveChanges()`; `CancellationError`, also if the closure has
  ///   called `cancel()`.
  @discardableResult
  public func write<Result: Sendable>(
    retries: Int = defaultRetries,
    _ block: @escaping @Sendable (SwiftDatastoreContext.Closure) throws -> Result
  ) async throws -> Result {
    let isCancelled = Lock(false)
    let run = TransactionRun(
      coordinator: coordinator, queue: transactions, retries: retries, pause: options.pause,
      isStopped: { isCancelled.withLock { $0 } })
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        transactions.queue.async {
          continuation.resume(with: Swift.Result { try run(block) })
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }

  /// Runs a transaction without waiting for it. `completion` is called on the main actor, and the next
  /// transaction begins when it has returned: it sees the store as this transaction has left it. If the main
  /// actor itself waits for a transaction, that one begins at once, and the completion runs afterwards.
  package func writeLater<Result: Sendable>(
    _ block: @escaping @Sendable (SwiftDatastoreContext.Closure) throws -> Result,
    completion: @escaping @MainActor @Sendable (Swift.Result<Result, any Error>) -> Void
  ) {
    let run = TransactionRun(
      coordinator: coordinator, queue: transactions, retries: Self.defaultRetries,
      pause: options.pause, isStopped: nil)
    transactions.queue.async { [completions] in
      let result = Swift.Result { try run(block) }
      completions.run { completion(result) }
    }
  }

  /// Runs a transaction from synchronous code: waits for its turn, until it is saved, and between
  /// repetitions.
  ///
  /// On the main actor, the save is merged into the view context before this returns, so that later fetches
  /// and lists include it.
  ///
  /// Traps inside a transaction of the same datastore, which could never end. Code in `perform` of a context
  /// may wait for it.
  ///
  /// - Parameters:
  ///   - retries: how often the closure may run again; `ConflictError` is thrown after that.
  ///   - waitsForViewContext: whether to merge on the main actor before this returns. Has no effect on other
  ///     threads: no thread waits for the main actor.
  ///   - block: the work of the transaction.
  /// - Returns: the result of the closure.
  /// - Throws: the errors of the closure and of `saveChanges()`; `CancellationError` if the closure has
  ///   called `cancel()`.
  @available(*, noasync, message: "Use write(retries:_:), which does not block the thread.")
  @discardableResult
  public func writeAndWait<Result: Sendable>(
    retries: Int = defaultRetries, waitsForViewContext: Bool = true,
    _ block: (SwiftDatastoreContext.Closure) throws -> Result
  ) throws -> Result {
    require(
      !transactions.isCurrent,
      "writeAndWait was called inside a transaction of the same datastore, which would wait for itself; use the "
        + "context of that transaction")
    let run = TransactionRun(
      coordinator: coordinator, queue: transactions, retries: retries, pause: options.pause,
      isStopped: nil)
    // Also after an error: the transactions before this one were saved.
    defer { if waitsForViewContext { sharedViewContext.mergeEverythingOnMain() } }
    return try completions.whileMainWaits { try transactions.queue.sync { try run(block) } }
  }
}

extension SwiftDatastoreContext.Closure {
  /// Leaves the closure of a transaction, or of a `perform`, and discards everything that is staged.
  ///
  /// ```swift
  /// guard let account else { try context.cancel() }
  /// ```
  ///
  /// - Throws: `CancellationError`, always.
  public func cancel() throws -> Never {
    revertChanges()
    throw CancellationError()
  }
}

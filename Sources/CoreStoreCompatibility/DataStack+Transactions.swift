import Dispatch
public import SwiftDatastore

/// What code is given that works in whatever transaction: a context.
public typealias BaseDataTransaction = any ObjectContext
/// What the closure of `perform(asynchronous:…)` is given.
public typealias AsynchronousDataTransaction = SwiftDatastoreContext.Closure
/// What the closure of `perform(synchronous:…)` is given.
public typealias SynchronousDataTransaction = SwiftDatastoreContext.Closure

/// Transactions: those of the datastore. Without a storage they fail with
/// `CoreStoreError.persistentStoreNotFound`.
extension DataStack {
  /// A transaction for code that goes on meanwhile. What was saved is in the view context when `completion`
  /// is called.
  ///
  /// Transactions run one after the other, in the order of the calls, and the next begins when `completion`
  /// has returned, unless it waits for a transaction itself.
  ///
  /// - Parameters:
  ///   - task: what is done in the transaction. It runs again where someone else has changed the same.
  ///   - sourceIdentifier: the source of the changes, for observers.
  ///   - completion: called on the main actor with what `task` has returned, or why nothing was saved.
  public func perform<Result: Sendable>(
    asynchronous task: @escaping @Sendable (AsynchronousDataTransaction) throws -> Result,
    sourceIdentifier: (any Sendable)? = nil,
    completion: @escaping @MainActor @Sendable (Swift.Result<Result, CoreStoreError>) -> Void
  ) {
    do throws(CoreStoreError) {
      try datastore.writeLater { transaction in
        transaction.sourceIdentifier = sourceIdentifier
        return try CoreStoreError.naming { try task(transaction) }
      } completion: { result in
        completion(result.mapError { CoreStoreError(ofTransaction: $0) })
      }
    } catch {
      DispatchQueue.main.async { MainActor.assumeIsolated { completion(.failure(error)) } }
    }
  }

  /// The same with a closure for either end, of which one is called on the main actor.
  public func perform<Result: Sendable>(
    asynchronous task: @escaping @Sendable (AsynchronousDataTransaction) throws -> Result,
    sourceIdentifier: (any Sendable)? = nil,
    success: @escaping @MainActor @Sendable (Result) -> Void,
    failure: @escaping @MainActor @Sendable (CoreStoreError) -> Void
  ) {
    perform(asynchronous: task, sourceIdentifier: sourceIdentifier) { result in
      switch result {
      case .success(let value): success(value)
      case .failure(let error): failure(error)
      }
    }
  }

  /// A transaction that is waited for. It runs again where someone else has changed the same.
  ///
  /// - Parameters:
  ///   - task: what is done in the transaction.
  ///   - waitForAllObservers: whether the view context takes over what was saved before this returns.
  ///   - sourceIdentifier: the source of the changes, for observers.
  /// - Throws: `CoreStoreError`.
  @available(
    *, noasync, message: "Use datastore.write(retries:_:), which does not block the thread."
  )
  public func perform<Result: Sendable>(
    synchronous task: (SynchronousDataTransaction) throws -> Result,
    waitForAllObservers: Bool = true, sourceIdentifier: (any Sendable)? = nil
  ) throws -> Result {
    do {
      return try datastore.writeAndWait(waitsForViewContext: waitForAllObservers) { transaction in
        transaction.sourceIdentifier = sourceIdentifier
        return try CoreStoreError.naming { try task(transaction) }
      }
    } catch {
      throw CoreStoreError(ofTransaction: error)
    }
  }
}

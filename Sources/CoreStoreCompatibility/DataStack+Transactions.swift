import Dispatch
public import SwiftDatastore

/// The parameter of code that works in any transaction: a context.
public typealias BaseDataTransaction = any ObjectContext
/// The parameter of the closure of `perform(asynchronous:…)`.
public typealias AsynchronousDataTransaction = SwiftDatastoreContext.Closure
/// The parameter of the closure of `perform(synchronous:…)`.
public typealias SynchronousDataTransaction = SwiftDatastoreContext.Closure

/// The transactions of the datastore. Without a storage they fail with
/// `CoreStoreError.persistentStoreNotFound`.
extension DataStack {
  /// Runs a transaction without waiting for it. The saved changes are in the view context when `completion`
  /// is called.
  ///
  /// Transactions run one after the other, in the order of the calls, and the next begins when `completion`
  /// has returned, unless it waits for a transaction itself.
  ///
  /// - Parameters:
  ///   - task: the work of the transaction. It runs again if another writer has changed the same objects.
  ///   - sourceIdentifier: the source of the changes, for observers.
  ///   - completion: called on the main actor with the result of `task`, or the reason why nothing was saved.
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

  /// Runs a transaction without waiting for it, with one closure for success and one for failure, of which
  /// one is called on the main actor.
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

  /// Runs a transaction and waits for it. It runs again if another writer has changed the same objects.
  ///
  /// - Parameters:
  ///   - task: the work of the transaction.
  ///   - waitForAllObservers: whether the view context merges the saved changes before this returns.
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

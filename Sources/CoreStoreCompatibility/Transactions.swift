import Foundation
public import SwiftDatastore

/// What the closure of a transaction is given: a context.
public typealias BaseDataTransaction = SwiftDatastoreContext.Closure
/// What the closure of `perform(asynchronous:…)` is given.
public typealias AsynchronousDataTransaction = SwiftDatastoreContext.Closure
/// What the closure of `perform(synchronous:…)` is given.
public typealias SynchronousDataTransaction = SwiftDatastoreContext.Closure

extension SwiftDatastore {
  /// A transaction for code that goes on meanwhile: `write(retries:_:)` with a completion, which is called on the main
  /// actor. What was saved is in the view context by then.
  ///
  /// Transactions run one after the other, in the order of the calls.
  ///
  /// - Parameters:
  ///   - task: what is done in the transaction. It runs again where someone else has changed the same.
  ///   - sourceIdentifier: what those who observe the changes are told of their source.
  ///   - completion: gets what `task` has returned, or why nothing was saved.
  public func perform<Result: Sendable>(
    asynchronous task:
      @escaping @Sendable (AsynchronousDataTransaction) throws -> Result,
    sourceIdentifier: (any Sendable)? = nil,
    completion: @escaping @MainActor @Sendable (Swift.Result<Result, CoreStoreError>) -> Void
  ) {
    writeLater {
      transaction in
      transaction.sourceIdentifier = sourceIdentifier
      return try CoreStoreError.naming { try task(transaction) }
    } completion: { result in
      let named = result.mapError { CoreStoreError(ofTransaction: $0) }
      DispatchQueue.main.async { MainActor.assumeIsolated { completion(named) } }
    }
  }

  /// The same with a closure for either end.
  ///
  /// - Parameters:
  ///   - task: what is done in the transaction. It runs again where someone else has changed the same.
  ///   - sourceIdentifier: what those who observe the changes are told of their source.
  ///   - success: gets what `task` has returned.
  ///   - failure: gets why nothing was saved.
  public func perform<Result: Sendable>(
    asynchronous task:
      @escaping @Sendable (AsynchronousDataTransaction) throws -> Result,
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

  /// A transaction that is waited for: `writeAndWait`. On the main actor what was saved is in the view context when this
  /// returns.
  ///
  /// - Parameters:
  ///   - task: what is done in the transaction. It runs again where someone else has changed the same.
  ///   - waitForAllObservers: whether the view context takes over what was saved before this returns.
  ///   - sourceIdentifier: what those who observe the changes are told of their source.
  /// - Returns: what `task` returns.
  /// - Throws: `CoreStoreError`.
  @available(*, noasync, message: "Use write(retries:_:), which does not block the thread.")
  public func perform<Result: Sendable>(
    synchronous task: (SynchronousDataTransaction) throws -> Result,
    waitForAllObservers: Bool = true, sourceIdentifier: (any Sendable)? = nil
  ) throws -> Result {
    do {
      return try writeAndWait(waitsForViewContext: waitForAllObservers) { transaction in
        transaction.sourceIdentifier = sourceIdentifier
        return try CoreStoreError.naming { try task(transaction) }
      }
    } catch {
      throw CoreStoreError(ofTransaction: error)
    }
  }
}

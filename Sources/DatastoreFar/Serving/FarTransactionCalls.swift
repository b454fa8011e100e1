import DatastoreCore
import Dispatch
import Foundation

/// The calls of one transaction, which runs on a thread of the store and executes them one after another.
final class FarTransactionCalls: Sendable {
  /// The transaction that a call runs in.
  enum Place {
    case reading(any ReadTransaction)
    case writing(any RowTransaction)
    case failed(any Error)
  }

  /// The step after a call.
  enum Next {
    /// Wait for the next one.
    case wait
    /// Commit the rows, and then answer this call.
    case commit(FarWork)
  }

  typealias Call = @Sendable (Place) -> Next

  private struct State {
    var calls: [Call] = []
    var isEnded = false
    var failure: (any Error)?
    var cancel: (@Sendable () -> Void)?
  }

  private struct Abandoned: Error {}

  private let state = Lock(State())
  private let signal = DispatchSemaphore(value: 0)

  /// Adds a call after the others; runs it at once if the transaction has failed.
  func add(_ call: @escaping Call) {
    let failure = state.withLock { state in
      if state.failure == nil { state.calls.append(call) }
      return state.failure
    }
    if let failure {
      _ = call(.failed(failure))
    } else {
      signal.signal()
    }
  }

  /// Ends the calls.
  func end() {
    state.withLock { $0.isEnded = true }
    signal.signal()
  }

  /// Waits for the next call; nil at the end.
  private func next() -> Call? {
    while true {
      let (call, isEnded) = state.withLock { state in
        (state.calls.isEmpty ? nil : state.calls.removeFirst(), state.isEnded)
      }
      if let call { return call }
      if isEnded { return nil }
      signal.wait()
    }
  }

  private func fail(_ error: any Error) {
    let left = state.withLock { state in
      state.failure = error
      defer { state.calls = [] }
      return state.calls
    }
    for call in left { _ = call(.failed(error)) }
  }

  /// Begins a read transaction.
  ///
  /// - Parameter work: the first call.
  func read(_ work: FarWork) {
    let task = Task(executorPreference: FarExecutor.shared) {
      do {
        try await work.reader.readTransaction(reporting: nil) { transaction in
          while let call = self.next() { _ = call(.reading(transaction)) }
        }
      } catch {
        self.fail(error)
      }
    }
    state.withLock { $0.cancel = { task.cancel() } }
  }

  /// Interrupts the reading.
  func cancel() { state.withLock { $0.cancel }?() }

  /// Begins a transaction that writes rows.
  ///
  /// - Parameter work: the first call, which is answered when the transaction has begun.
  func writeRows(_ beginning: some FarRowsBeginning, _ work: FarWork) {
    BlockingWork.begin {
      var committing: FarWork?
      do {
        _ = try beginning.answer(in: work)
        let (keys, count) = try work.session.store.writeRows(
          entity: beginning.entity, key: beginning.key
        ) { rows in
          work.run(beginning)
          while let call = self.next() {
            if case .commit(let work) = call(.writing(rows)) {
              committing = work
              return
            }
          }
          throw Abandoned()
        }
        committing?.run(CommittedRows(keys: keys, count: count))
      } catch {
        // A waiting caller gets the error; without one, the transaction was given up.
        if let committing {
          committing.fail(error)
        } else if !(error is Abandoned) {
          work.fail(error)
        }
        self.fail(error)
      }
    }
  }
}

/// The answer to a commit, as a call.
private struct CommittedRows: FarCall {
  private let written: WrittenRowsAnswer

  init(keys: MergedKeys, count: Int) {
    written = WrittenRowsAnswer(keys: FarMergedKeys(keys), count: count)
  }

  func answer(in work: FarWork) -> WrittenRowsAnswer { written }
}

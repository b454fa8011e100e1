import DatastoreCore
import Dispatch

/// Lets the queue of transactions wait until the main actor has run a completion, so that the completion sees
/// no later transaction.
///
/// The queue never waits for a main actor that waits for the queue: `writeAndWait` on the main actor opens
/// the gate before it waits, for the completion that is due and for those that become due meanwhile. They run
/// when the main actor is free.
final class CompletionGate: Sendable {
  private struct State {
    /// The number of nested calls of the main actor that wait for the queue.
    var mainWaits = 0
    /// The semaphore that the queue waits on.
    var due: DispatchSemaphore?
  }

  private let state = Lock(State())

  /// Runs a completion on the main actor and waits for it, unless the main actor waits for this queue. Call
  /// it on the queue of transactions.
  func run(_ completion: @escaping @MainActor @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let waits = state.withLock { state in
      if state.mainWaits == 0 { state.due = done }
      return state.mainWaits == 0
    }
    DispatchQueue.main.async {
      MainActor.assumeIsolated { completion() }
      done.signal()
    }
    guard waits else { return }
    done.wait()
    state.withLock { $0.due = nil }
  }

  /// Runs `body`, which waits for the queue of transactions. On threads other than the main actor's, the gate
  /// does not change.
  func whileMainWaits<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard MainQueue.isCurrent else { return try body() }
    state.withLock { state in
      state.mainWaits += 1
      state.due?.signal()
    }
    defer { state.withLock { $0.mainWaits -= 1 } }
    return try body()
  }
}

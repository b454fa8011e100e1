import Basics
import DatastoreCore
import Dispatch

/// The error of a child context that gave up waiting for its parent.
public struct ParentContextBusyError: Error, Sendable, CustomStringConvertible {
  /// How long the child waited.
  public let seconds: Double

  public var description: String {
    "A child context has waited \(seconds) seconds for its parent, whose `perform` has not ended in that "
      + "time. Never wait for a child inside `perform` of its parent: the child needs the parent’s queue to "
      + "read and to save. Long work belongs in a context of its own."
  }
}

/// Work of a child on the queue of its parent, which the child waits for.
final class ParentTurn<Result: Sendable>: Sendable {
  private enum State {
    case waiting, abandoned, running
    case done(Swift.Result<Result, any Error>)
  }

  private let state = Lock(State.waiting)
  private let semaphore = DispatchSemaphore(value: 0)

  /// Runs the work, unless the child no longer waits. Called once, on the parent's queue.
  func run(_ work: () throws -> Result) {
    let isWanted = state.withLock { state in
      guard case .waiting = state else { return false }
      state = .running
      return true
    }
    guard isWanted else { return }
    let result = Swift.Result { try work() }
    state.withLock { $0 = .done(result) }
    semaphore.signal()
  }

  /// Waits until the work is done, but at most `seconds` for it to begin.
  func wait(atMost seconds: Double) throws -> Result {
    if semaphore.wait(timeout: .now() + seconds) == .timedOut {
      let isAbandoned = state.withLock { state in
        guard case .waiting = state else { return false }
        state = .abandoned
        return true
      }
      if isAbandoned { throw ParentContextBusyError(seconds: seconds) }
      semaphore.wait()
    }
    return try state.withLock { state in
      guard case .done(let result) = state else {
        trap("the semaphore is signalled when the work is done")
      }
      return try result.get()
    }
  }
}

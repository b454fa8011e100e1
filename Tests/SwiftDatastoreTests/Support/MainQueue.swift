import Dispatch
import SwiftDatastore
import Testing

/// Returns when everything that is on the main queue now has run.
@MainActor
func drainMainQueue() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume() }
  }
}

/// Works in a context while the main actor is still: on return, saves are committed, and their merge into the
/// view context waits in the main queue.
func whileMainWaits(
  _ context: SwiftDatastoreContext,
  _ block: @escaping @Sendable (SwiftDatastoreContext.Closure) throws -> Void
) {
  let done = DispatchSemaphore(value: 0)
  context.perform(block) {
    done.signal()
  } failure: { error in
    Issue.record(error)
    done.signal()
  }
  done.wait()
}

extension ContextCore {
  /// Merges the saves of others now: a change for each turn of the queue that would have come.
  func takeIn(atMost changes: Int = 64) {
    for _ in 0..<changes { catchUp?() }
  }
}

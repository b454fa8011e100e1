#if PostgreSQL
import Foundation
import Synchronization

/// Tells a thread that waits for a server that its answer is no longer wanted.
///
/// The thread waits for this descriptor together with that of its connection, so that the waiting thread
/// itself asks the server to stop: a request to stop can never hit the next statement.
package final class StopSignal: Sendable {
  /// Readable once the signal is sent.
  let descriptor: Int32
  private let writing: Int32
  private let isSent = Atomic(false)

  package init() {
    var ends: [Int32] = [-1, -1]
    // If there are no descriptors left, a statement is stopped when the thread next checks.
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
    }
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit { for end in [descriptor, writing] where end >= 0 { close(end) } }

  package var isStopped: Bool { isSent.load(ordering: .acquiring) }

  /// Callable from any thread.
  package func stop() {
    isSent.store(true, ordering: .releasing)
    var byte: UInt8 = 1
    _ = write(writing, &byte, 1)
  }
}

#endif

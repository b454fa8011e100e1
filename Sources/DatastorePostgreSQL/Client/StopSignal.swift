#if PostgreSQL
import Foundation
import Synchronization

/// Tells the thread that waits for a server that its answer is no longer wanted.
///
/// The thread waits for a descriptor of this beside that of its connection, so that the one that waits for
/// the server is the one that asks it to stop: no request to stop can meet the statement after.
package final class StopSignal: Sendable {
  /// Readable once it is stopped.
  let descriptor: Int32
  private let writing: Int32
  private let isSent = Atomic(false)

  package init() {
    var ends: [Int32] = [-1, -1]
    // Where there are no descriptors left, a statement is stopped when the thread looks the next time.
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

  /// From any thread.
  package func stop() {
    isSent.store(true, ordering: .releasing)
    var byte: UInt8 = 1
    _ = write(writing, &byte, 1)
  }
}

#endif

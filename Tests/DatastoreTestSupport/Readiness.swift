import DatastoreCore
package import Foundation

/// Waiting for something to happen, instead of looking again and again.
package enum Readiness {
  /// Waits until one of some descriptors can be read, or its other side is closed. The thread of the task is
  /// free meanwhile.
  ///
  /// - Returns: false when nothing has happened by then.
  package static func wait(for descriptors: [Int32], milliseconds: Int32) async -> Bool {
    if isThere(descriptors, 0) { return true }
    return await BlockingWork.run { isThere(descriptors, milliseconds) }
  }

  private static func isThere(_ descriptors: [Int32], _ milliseconds: Int32) -> Bool {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return poll(&requests, nfds_t(requests.count), milliseconds) > 0
  }

  /// A descriptor that can be read when a process has ended, which is not waited for by this. To be closed by
  /// the caller.
  ///
  /// - Throws: `POSIXError`.
  package static func end(of process: pid_t) throws -> Int32 {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    // Not handed on to other programs that tests start, which would keep it open.
    for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    let writing = ends[1]
    Thread.detachNewThread {
      var information = siginfo_t()
      while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      close(writing)
    }
    return ends[0]
  }
}

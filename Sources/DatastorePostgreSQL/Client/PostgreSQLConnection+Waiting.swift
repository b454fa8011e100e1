#if PostgreSQL
import CPostgreSQL
import Foundation

/// Waiting for the server, which blocks the thread.
extension PostgreSQLConnection {
  /// The next result of the current statement; nil at its end.
  ///
  /// - Throws: `PostgreSQLFailure` when the connection was lost.
  func nextResult() throws -> PostgreSQLResult? {
    while PQisBusy(pointer) == 1 { try wait() }
    return PQgetResult(pointer).map { PostgreSQLResult($0) }
  }

  /// Sends as much of libpq's buffer as the server accepts, and waits until the server responds.
  ///
  /// Both at the same time: a server that waits for its answer to be read accepts nothing more.
  func wait() throws {
    let unsent = PQflush(pointer)
    if unsent < 0 { throw failure() }
    var events = [
      pollfd(
        fd: PQsocket(pointer), events: Int16(POLLIN) | (unsent == 1 ? Int16(POLLOUT) : 0),
        revents: 0)
    ]
    if let isUnwanted, isUnwanted() { stopSignal?.stop() }
    if let stopSignal {
      events.append(pollfd(fd: stopSignal.descriptor, events: Int16(POLLIN), revents: 0))
      if stopSignal.isStopped { try cancel() }
    }
    // A request to stop that arrives before the server has begun is lost; it is therefore repeated.
    let isStopping = stopSignal?.isStopped ?? false
    let count = poll(
      &events, isStopping ? 1 : UInt(events.count), isStopping || isUnwanted != nil ? 50 : -1)
    if count < 0, errno != EINTR { throw failure() }
    if events[0].revents != 0, PQconsumeInput(pointer) == 0 { throw failure() }
  }

  /// Asks the server to end the current statement of this connection. The server answers with an error.
  private func cancel() throws {
    guard let request = PQgetCancel(pointer) else { throw failure() }
    defer { PQfreeCancel(request) }
    var reason = [CChar](repeating: 0, count: 256)
    guard PQcancel(request, &reason, Int32(reason.count)) == 1 else {
      // If the request cannot be made, waiting for the end of a long statement is no option either; the
      // connection is given up.
      throw PostgreSQLFailure(
        code: "08000", message: String(decoding: reason.map(UInt8.init), as: UTF8.self).sentence)
    }
  }
}

#endif

#if PostgreSQL
import DatastoreCore
import Dispatch

/// Connections to one database, each lent to one thread at a time.
///
/// They are opened when they are needed, and kept for the next borrower.
package final class ConnectionPool: Sendable {
  package let address: PostgreSQLAddress
  /// The server's name, as shown to people.
  private let place: String
  private let state: Lock<State>
  /// A thread that finds all connections lent waits for one.
  private let places: DispatchSemaphore

  private struct State {
    var idle: [PostgreSQLConnection] = []
    var isClosed = false
    /// Waits of connections that were closed.
    var waitCount = 0
  }

  /// - Parameter server: the server of the address.
  init(_ address: PostgreSQLAddress, to server: ServerName) {
    self.address = address
    place = server.description
    state = Lock(State())
    places = DispatchSemaphore(value: 1)
  }

  /// - Parameters:
  ///   - connection: a connection to that address that is in no transaction.
  ///   - limit: the greatest number of connections at a time.
  package init(
    _ address: PostgreSQLAddress, beginningWith connection: sending PostgreSQLConnection,
    limit: Int = 4
  ) {
    self.address = address
    place = connection.server.description
    state = Lock(State(idle: [connection]))
    places = DispatchSemaphore(value: limit)
  }

  /// How often its connections have waited for the server, not counting those that are lent at the moment.
  package var waitCount: Int {
    state.withLock { $0.idle.reduce($0.waitCount) { $0 + $1.waitCount } }
  }

  /// Runs `body` with a connection that is in no transaction. Waits for one; must not be called from inside
  /// `body`.
  ///
  /// A connection that was lost while it was idle is replaced, and `body` runs again with another one.
  ///
  /// - Parameter stopSignal: ends the statement that `body` waits for.
  /// - Throws: the errors of `body`; `StoreError` if there is no connection.
  package func withConnection<Result>(
    stoppedBy stopSignal: StopSignal? = nil, _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    places.wait()
    defer { places.signal() }
    while let connection = try takeIdle() {
      let answers = connection.answerCount
      do {
        return try lend(connection, stoppedBy: stopSignal, body)
      } catch let failure as PostgreSQLFailure
        where failure.isOfConnection && connection.answerCount == answers
      {
        // The connection has answered nothing, so nothing is read twice.
      }
    }
    return try lend(PostgreSQLConnection(address), stoppedBy: stopSignal, body)
  }

  private func takeIdle() throws -> PostgreSQLConnection? {
    try state.withLock { state in
      if state.isClosed { throw StoreError.closed(path: place) }
      return state.idle.popLast()
    }
  }

  private func lend<Result>(
    _ connection: PostgreSQLConnection, stoppedBy stopSignal: StopSignal?,
    _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    connection.stopSignal = stopSignal
    defer {
      connection.stopSignal = nil
      state.withLock { state in
        if connection.isReusable, !state.isClosed {
          state.idle.append(connection)
        } else {
          state.waitCount += connection.waitCount
        }
      }
    }
    return try body(connection)
  }

  /// Closes the connections that are not lent; the others when they are returned.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      state.idle = []
    }
  }
}
#endif

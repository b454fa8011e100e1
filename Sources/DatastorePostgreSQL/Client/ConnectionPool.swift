#if PostgreSQL
import DatastoreCore
import Dispatch

/// Connections to one database, each lent to one thread at a time.
///
/// They are opened when they are needed, and kept for the next one who asks.
package final class ConnectionPool: Sendable {
  package let address: PostgreSQLAddress
  /// What the connections lead to, for people.
  private let place: String
  private let state: Lock<State>
  /// Who finds all connections lent waits for one.
  private let places: DispatchSemaphore

  private struct State {
    var idle: [PostgreSQLConnection] = []
    var isClosed = false
    /// Waits of connections that are not kept.
    var waitCount = 0
  }

  /// - Parameter server: what the address leads to.
  init(_ address: PostgreSQLAddress, to server: ServerName) {
    self.address = address
    place = server.description
    state = Lock(State())
    places = DispatchSemaphore(value: 1)
  }

  /// - Parameters:
  ///   - connection: one to that address, which is in no transaction.
  ///   - limit: how many there are at most at a time.
  package init(
    _ address: PostgreSQLAddress, beginningWith connection: sending PostgreSQLConnection,
    limit: Int = 4
  ) {
    self.address = address
    place = connection.server.description
    state = Lock(State(idle: [connection]))
    places = DispatchSemaphore(value: limit)
  }

  /// How often its connections have waited for the server, those that are not lent just now.
  package var waitCount: Int {
    state.withLock { $0.idle.reduce($0.waitCount) { $0 + $1.waitCount } }
  }

  /// Runs `body` with a connection that is in no transaction. Waits for one; not to be called from inside.
  ///
  /// A connection that turns out to have been lost while nobody used it is replaced, and `body` runs again
  /// with another one.
  ///
  /// - Parameter stopSignal: ends what `body` waits for.
  /// - Throws: what `body` throws; `StoreError` where there is no connection.
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
        // Nothing was answered on it, so that nothing is read twice.
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

  /// Closes the connections that are not lent; the others when they come back.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      state.idle = []
    }
  }
}
#endif

#if PostgreSQL
import DatastoreCore
import Foundation

/// The connection that saves, through all attempts of one transaction. It decides which failures are worth
/// another attempt.
struct WriterConnection {
  let store: PostgreSQLStore
  private(set) var connection: PostgreSQLConnection?
  /// Attempts that failed because of other writers.
  private var failures = 0
  private var isReconnected = false

  /// How often a transaction is sent that fails because of other writers.
  private static let limit = 8

  init(_ store: PostgreSQLStore, _ connection: PostgreSQLConnection?) {
    self.store = store
    self.connection = connection
  }

  /// - Throws: `StoreError` if the server cannot be reached.
  mutating func open() throws -> PostgreSQLConnection {
    if let connection, connection.isReusable, !connection.wasEnded { return connection }
    let connection = try PostgreSQLConnection(store.address)
    self.connection = connection
    return connection
  }

  mutating func drop() { connection = nil }

  /// Counts one more attempt that failed because of other writers.
  ///
  /// - Returns: whether to try again.
  mutating func failed() -> Bool {
    failures += 1
    return failures < Self.limit
  }

  /// Waits longer after each failure, for a random time, so that two programs do not collide again.
  func pause() { Self.pause(failures) }

  /// Forgets a connection that was lost.
  ///
  /// - Returns: whether to connect again: once for each transaction.
  mutating func lost() -> Bool {
    connection = nil
    defer { isReconnected = true }
    return !isReconnected
  }

  /// Connects to the same server when it has restarted, or to the standby that has taken its place.
  ///
  /// - Throws: `StoreError` if there is none within ten seconds.
  mutating func reconnect() throws -> PostgreSQLConnection {
    let end = ContinuousClock.now + .seconds(10)
    var failures = 0
    while true {
      do {
        let other = try PostgreSQLConnection(store.address)
        connection = other
        return other
      } catch let error {
        guard case .unreachable = error, ContinuousClock.now < end else { throw error }
        failures += 1
        Self.pause(failures + 3)
      }
    }
  }

  /// Asks the server for the outcome of a transaction whose answer was lost.
  ///
  /// - Parameter number: the server's number of the transaction.
  /// - Throws: `StoreError.outcomeUnknown` if it does not know either.
  func wasCommitted(_ number: String?) throws -> Bool {
    guard let number, let connection else { throw StoreError.outcomeUnknown(server: store.place) }
    let question = PostgreSQLStatement(
      "SELECT pg_xact_status($1::text::xid8)", [.text(number)], isKept: true)
    for round in 1...10 {
      switch try connection.run(question).text(0, 0) {
      case "committed": return true
      case "aborted": return false
      case "in progress": Self.pause(round)
      default: throw StoreError.outcomeUnknown(server: store.place)
      }
    }
    throw StoreError.outcomeUnknown(server: store.place)
  }

  private static func pause(_ failures: Int) {
    let most = 0.005 * Double(1 << min(failures - 1, 7))
    Thread.sleep(forTimeInterval: .random(in: most / 2...most))
  }
}
#endif

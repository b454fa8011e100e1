#if PostgreSQL
import DatastoreCore
import Foundation

/// The connection that saves, through all attempts of one transaction: which failures are worth another one.
struct WriterConnection {
  let store: PostgreSQLStore
  private(set) var connection: PostgreSQLConnection?
  /// Attempts that other writers have made fail.
  private var failures = 0
  private var isReconnected = false

  /// How often a transaction is sent that other writers make fail.
  private static let limit = 8

  init(_ store: PostgreSQLStore, _ connection: PostgreSQLConnection?) {
    self.store = store
    self.connection = connection
  }

  /// - Throws: `StoreError` where the server cannot be reached.
  mutating func open() throws -> PostgreSQLConnection {
    if let connection, connection.isReusable, !connection.wasEnded { return connection }
    let connection = try PostgreSQLConnection(store.address)
    self.connection = connection
    return connection
  }

  /// Forgets the connection.
  mutating func drop() { connection = nil }

  /// Counts one more attempt that other writers have made fail.
  ///
  /// - Returns: whether there is to be another one.
  mutating func failed() -> Bool {
    failures += 1
    return failures < Self.limit
  }

  /// Waits longer after each failure, and never as long as another program that does the same.
  func pause() { Self.pause(failures) }

  /// Forgets a connection that was lost.
  ///
  /// - Returns: whether another one is to be tried: once for each transaction.
  mutating func lost() -> Bool {
    connection = nil
    defer { isReconnected = true }
    return !isReconnected
  }

  /// Connects to the same server when it has started again, or to the standby that has taken its place.
  ///
  /// - Throws: `StoreError` where there is none within ten seconds.
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

  /// Asks the server what became of a transaction whose answer was lost.
  ///
  /// - Parameter number: the transaction, as the server numbers it.
  /// - Throws: `StoreError.outcomeUnknown` where it does not know either.
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

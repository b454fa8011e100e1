#if PostgreSQL
import Basics
import CPostgreSQL
package import DatastoreCore
import Foundation

/// A connection to a server, where it is one process.
///
/// It blocks, and belongs to one thread at a time; `ConnectionPool` ensures that. Every statement travels in
/// libpq's pipeline mode: any number of statements are sent in one message and waited for once.
package final class PostgreSQLConnection {
  let pointer: OpaquePointer
  /// How often the server has reported that rows were lost.
  private let lostRows: UnsafeMutablePointer<Int32> = {
    let count = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    count.initialize(to: 0)
    return count
  }()
  package let server: ServerName
  /// How often this connection has waited for the server: the number of network round trips.
  package internal(set) var waitCount = 0
  /// Whether a pooler lends the session for a transaction at a time.
  package let isPooled: Bool
  /// The settings that begin each transaction of a borrowed session.
  let settings: [(name: String, value: String)]
  /// The number of statements that were answered; rows that arrive one by one count separately.
  var answerCount = 0
  /// The names under which the server keeps plans.
  var plans: [PlanKey: String] = [:]
  var lastPlan = 0
  /// Messages that were sent and not waited for.
  var outstanding: [Message] = []
  /// Ends the current wait; nil if no one can request that.
  package var stopSignal: StopSignal?
  /// Called repeatedly by the waiting thread, which sends the `stopSignal` when it returns true.
  package var isUnwanted: (() -> Bool)?

  /// Opens a connection. libpq also reads the environment, the service file and the password file.
  ///
  /// - Throws: `StoreError` with the reason why no connection was made.
  package init(_ address: PostgreSQLAddress) throws(StoreError) {
    let environment = ProcessInfo.processInfo.environment
    // Settings before `dbname` are overridden by its contents, and settings after it override them.
    var settings: [(String, String)] = []
    let habits = [
      ("connect_timeout", "10", "PGCONNECT_TIMEOUT"), ("keepalives_idle", "30", nil),
      ("keepalives_interval", "10", nil), ("keepalives_count", "3", nil),
      ("tcp_user_timeout", "20000", nil), ("application_name", "datastore", "PGAPPNAME"),
    ]
    for (keyword, value, variable) in habits
    where variable.flatMap({ environment[$0] }) == nil {
      settings.append((keyword, value))
    }
    settings.append(("dbname", address.text))
    settings.append(("client_encoding", "UTF8"))
    isPooled = address.isPooled
    self.settings = address.transactionSettings
    if !address.isPooled {
      let given = address.value(of: "options") ?? environment["PGOPTIONS"]
      settings.append(("options", address.sessionOptions(before: given)))
    }
    guard let pointer = Self.connect(settings) else {
      throw .unreachable(server: "the server", detail: "there is no memory for a connection")
    }
    self.pointer = pointer
    server = ServerName(pointer)
    guard PQstatus(pointer) == CONNECTION_OK else {
      let message = String(cString: PQerrorMessage(pointer)).sentence
      let error = StoreError(refusedConnection: message, server: server)
      // The initializer has set everything by now, so `deinit` closes it.
      throw error
    }
    cpostgresql_silence(pointer, lostRows)
    let encoding = PQparameterStatus(pointer, "server_encoding").map { String(cString: $0) }
    guard encoding == "UTF8" else {
      throw .unusableEncoding(server: server.description, encoding: encoding ?? "unknown")
    }
    PQsetnonblocking(pointer, 1)
    PQenterPipelineMode(pointer)
  }

  deinit {
    PQfinish(pointer)
    lostRows.deallocate()
  }

  /// Reports once that an answer lacks rows which the server has lost between machines.
  func requireAllRows() throws {
    if lostRows.pointee == 0 { return }
    lostRows.pointee = 0
    throw PostgreSQLFailure(
      code: "XX000",
      message: "the server has lost rows that one part of the statement had found for another one")
  }

  private static func connect(_ settings: [(String, String)]) -> OpaquePointer? {
    let keywords = settings.map { strdup($0.0) }
    let values = settings.map { strdup($0.1) }
    defer { for text in keywords + values { free(text) } }
    return PQconnectdbParams(
      keywords.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
  }

  /// Whether it can be reused: connected, and in no transaction, or about to leave one.
  var isReusable: Bool {
    guard PQstatus(pointer) == CONNECTION_OK else { return false }
    return !outstanding.isEmpty || PQtransactionStatus(pointer) == PQTRANS_IDLE
  }

  /// Whether the server has ended it while it was idle, for example in a restart. Costs no wait.
  var wasEnded: Bool {
    guard outstanding.isEmpty else { return false }
    var event = pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0)
    // Notices and the reason for the end come before it.
    while poll(&event, 1, 0) == 1 {
      if PQconsumeInput(pointer) == 0 || PQstatus(pointer) != CONNECTION_OK { return true }
    }
    return false
  }

  /// Whether a transaction is open, or has failed and was not rolled back.
  var isInTransaction: Bool {
    [PQTRANS_INTRANS, PQTRANS_INERROR].contains(PQtransactionStatus(pointer))
  }

  /// libpq's message about the last failure that no server has reported.
  func failure() -> PostgreSQLFailure {
    let message = String(cString: PQerrorMessage(pointer)).sentence
    return PostgreSQLFailure(code: "", message: message.isEmpty ? "it was lost" : message)
  }
}

/// The name of the server and database of a connection, as shown to people. It never contains a password.
package struct ServerName: Sendable, Hashable, CustomStringConvertible {
  package let host: String
  package let port: String
  package let database: String
  package let user: String

  init(_ connection: OpaquePointer) {
    func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    host = text(PQhost(connection))
    port = text(PQport(connection))
    // If an address was not understood, libpq takes all of it as the database's name.
    let name = text(PQdb(connection))
    database = name.has("=") || name.contains("://") ? "" : name
    user = text(PQuser(connection))
  }

  package var description: String {
    let place = host.begins(with: "/") || host.isEmpty ? "" : "\(host):\(port)"
    return "postgresql://\(place)/\(database)"
  }
}

#endif

#if PostgreSQL
import Basics
import CPostgreSQL
package import DatastoreCore
import Foundation

/// A connection to a server, which is one process there.
///
/// It blocks, and belongs to one thread at a time; `ConnectionPool` sees to that. Every statement travels in
/// libpq's pipeline mode: any number of them are sent in one message, and waited for once.
package final class PostgreSQLConnection {
  let pointer: OpaquePointer
  /// How often the server has said that rows were lost.
  private let lostRows: UnsafeMutablePointer<Int32> = {
    let count = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    count.initialize(to: 0)
    return count
  }()
  package let server: ServerName
  /// `server_version_num`, such as 150018.
  package let serverVersion: Int
  /// How often this connection has waited for the server: the round trips over the network.
  package internal(set) var waitCount = 0
  /// Whether a pooler lends the session for a transaction at a time.
  package let isPooled: Bool
  /// What each transaction of a borrowed session says first.
  let settings: [(name: String, value: String)]
  /// How many statements were answered, those of which rows come one by one for each.
  var answerCount = 0
  /// The names under which the server keeps plans.
  var plans: [PlanKey: String] = [:]
  var lastPlan = 0
  /// What was sent and not waited for.
  var outstanding: [Message] = []
  /// Ends what is being waited for, while there is someone who may want that.
  package var stopSignal: StopSignal?
  /// Asked again and again by the thread that waits, which sends the `stopSignal` when it says yes.
  package var isUnwanted: (() -> Bool)?

  /// Opens a connection. What libpq reads from the environment, a service file or a password file counts.
  ///
  /// - Throws: `StoreError` with the reason why there is none.
  package init(_ address: PostgreSQLAddress) throws(StoreError) {
    let environment = ProcessInfo.processInfo.environment
    // What comes before `dbname` is replaced by what that says, and what comes after replaces it.
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
    serverVersion = Int(PQserverVersion(pointer))
    guard PQstatus(pointer) == CONNECTION_OK else {
      let message = String(cString: PQerrorMessage(pointer)).sentence
      let error = StoreError(refusedConnection: message, server: server)
      // The initializer has set everything by now, so that `deinit` closes it.
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

  /// Says once that an answer lacks rows which the server has lost on its way between machines.
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

  /// Whether somebody else can use it: connected, and in no transaction, or on its way out of it.
  var isReusable: Bool {
    guard PQstatus(pointer) == CONNECTION_OK else { return false }
    return !outstanding.isEmpty || PQtransactionStatus(pointer) == PQTRANS_IDLE
  }

  /// Whether the server has ended it while nobody used it, as when it was restarted. Costs no wait.
  var wasEnded: Bool {
    guard outstanding.isEmpty else { return false }
    var event = pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0)
    // Notices and the reason for the end come before it.
    while poll(&event, 1, 0) == 1 {
      if PQconsumeInput(pointer) == 0 || PQstatus(pointer) != CONNECTION_OK { return true }
    }
    return false
  }

  /// Whether a transaction is open, or has failed and was not taken back.
  var isInTransaction: Bool {
    [PQTRANS_INTRANS, PQTRANS_INERROR].contains(PQtransactionStatus(pointer))
  }

  /// What libpq says of the last failure that no server has told.
  func failure() -> PostgreSQLFailure {
    let message = String(cString: PQerrorMessage(pointer)).sentence
    return PostgreSQLFailure(code: "", message: message.isEmpty ? "it was lost" : message)
  }
}

/// What a connection leads to, for people. There is never a password in it.
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
    // Where an address was not understood, libpq has all of it for the database's name.
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

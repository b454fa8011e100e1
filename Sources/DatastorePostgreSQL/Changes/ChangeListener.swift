#if PostgreSQL
import Basics
import CPostgreSQL
import DatastoreCore
import Dispatch
import Foundation

/// Listens for writes by others: a connection of its own that listens to channels and asks nothing else.
///
/// No thread waits for it: the system reports when there is something to read. A notification only wakes the
/// store; the log says what has changed, so a missed notification loses nothing. Whenever the server has
/// begun to listen, also after a lost connection, the store is asked to read the log: the log contains
/// everything written before that moment, and notifications report everything written after it.
///
/// A lost connection is reopened, after pauses that grow to half a minute. If the server refuses to listen,
/// as a standby does, the request is repeated every minute: the server may be promoted.
final class ChangeListener: Sendable {
  private let address: PostgreSQLAddress
  private let channels: [String]
  /// Whether a notification comes from another program.
  private let takes: @Sendable (_ payload: String) -> Bool
  private let told: @Sendable () -> Void
  private let queue = DispatchQueue(label: "datastore.changes", qos: .userInitiated)
  private let state = Lock(State())

  private struct State {
    var hearing: Hearing?
    /// Attempts to connect since the last that succeeded.
    var failures = 0
    var lastTold = DispatchTime(uptimeNanoseconds: 0)
    /// Whether `told` is about to be called.
    var isTelling = false
  }

  /// Notifications that arrive together are reported as one: the time between two reports, in seconds.
  private static let rest = 0.005

  /// - Parameters:
  ///   - takes: whether a notification requires reading the log; called for each, on a queue.
  ///   - told: called on that queue.
  init(
    _ address: PostgreSQLAddress, channels: [String],
    takes: @escaping @Sendable (_ payload: String) -> Bool, told: @escaping @Sendable () -> Void
  ) {
    self.address = address
    self.channels = channels
    self.takes = takes
    self.told = told
    queue.async { [weak self] in self?.connect() }
  }

  deinit { state.withLock { $0.hearing?.end() } }

  /// Begins to listen, and reports once for everything written before that.
  private func connect() {
    do {
      let connection = try PostgreSQLConnection(address)
      _ = try connection.run(
        channels.map { name in
          PostgreSQLStatement("LISTEN \(Quoting.sqlName(name))")
        })
      let hearing = try Hearing(connection, queue) { [weak self] in self?.hear() }
      state.withLock { state in
        state.hearing = hearing
        state.failures = 0
      }
      tell()
    } catch let failure as PostgreSQLFailure where !failure.isOfConnection {
      again(after: 60)
    } catch {
      let failures = state.withLock { state in
        state.failures += 1
        return state.failures
      }
      again(after: .random(in: 0.5...1) * min(0.1 * Double(1 << min(failures, 10)), 30))
    }
  }

  private func again(after seconds: Double) {
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in self?.connect() }
  }

  /// Reads the notifications that have arrived.
  private func hear() {
    guard let hearing = state.withLock({ $0.hearing }) else { return }
    let (payloads, isLost) = hearing.read()
    // Not `contains`: each notification must be passed to `takes`.
    if !payloads.filter(takes).isEmpty { tell() }
    guard isLost else { return }
    hearing.end()
    state.withLock { $0.hearing = nil }
    connect()
  }

  /// Reports at once, or a moment after the last report.
  private func tell() {
    let now = DispatchTime.now()
    let due: DispatchTime? = state.withLock { state in
      if state.isTelling { return nil }
      state.isTelling = true
      return max(now, state.lastTold + Self.rest)
    }
    guard let due else { return }
    let tell: @Sendable () -> Void = { [weak self] in
      guard let self else { return }
      state.withLock { state in
        state.isTelling = false
        state.lastTold = .now()
      }
      told()
    }
    if due == now { tell() } else { queue.asyncAfter(deadline: due, execute: tell) }
  }
}

/// A connection while it listens.
///
/// Dispatch forgets a descriptor whose other end has closed (`EPOLLHUP`), sometimes without saying so, and
/// with the server's last words unread. It watches an `epoll` of this connection alone instead, which is
/// readable as long as the connection is, and never hangs up.
private final class Hearing: Sendable {
  private let connection: Lock<PostgreSQLConnection?>
  private let source: Lock<any DispatchSourceRead>

  /// - Throws: if the system has no descriptor left.
  init(
    _ connection: sending PostgreSQLConnection, _ queue: DispatchQueue,
    _ heard: @escaping @Sendable () -> Void
  ) throws {
    let watch = cpostgresql_watch(PQsocket(connection.pointer))
    guard watch >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
    let held = Lock<PostgreSQLConnection?>(connection)
    let source = DispatchSource.makeReadSource(fileDescriptor: watch, queue: queue)
    source.setEventHandler(handler: heard)
    // Not closed before the system has stopped watching it.
    source.setCancelHandler {
      close(watch)
      held.withLock { $0 = nil }
    }
    source.activate()
    self.connection = held
    self.source = Lock(source)
  }

  /// The notifications that have arrived, and whether the connection is lost.
  func read() -> (payloads: [String], isLost: Bool) {
    connection.withLock { connection in
      guard let pointer = connection?.pointer else { return ([], false) }
      let isRead = PQconsumeInput(pointer) != 0
      var payloads: [String] = []
      while let notification = PQnotifies(pointer) {
        payloads.append(notification.pointee.extra.map { String(cString: $0) } ?? "")
        PQfreemem(notification)
      }
      return (payloads, !isRead || PQstatus(pointer) != CONNECTION_OK)
    }
  }

  /// Does nothing if called again.
  func end() { source.withLock { $0.cancel() } }
}
#endif

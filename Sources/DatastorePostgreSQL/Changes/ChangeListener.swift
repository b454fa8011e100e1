#if PostgreSQL
import Basics
import CPostgreSQL
import DatastoreCore
import Dispatch
import Foundation

/// Hears of what others save: a connection of its own, which listens to channels, and on which nothing else
/// is asked.
///
/// No thread waits for it: the system tells when there is something to read. A notification only wakes: what
/// has changed, the log tells, so that nothing is missed that was not heard. Whenever the server has begun to
/// listen for it, also after a lost connection, a look at the log is asked for: what was written before that
/// moment is seen by the look, and what is written after it is heard.
///
/// A lost connection is opened again, after pauses that grow to half a minute. Where the server refuses to
/// listen, as one does that follows another server, it is asked again every minute: it may come to lead.
final class ChangeListener: Sendable {
  private let address: PostgreSQLAddress
  private let channels: [String]
  /// Whether a notification is of someone else.
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

  /// Many notifications that come together are told as one: the time from one to the next, in seconds.
  private static let rest = 0.005

  /// - Parameters:
  ///   - takes: whether a notification is worth a look; called for each, on a queue.
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

  /// Begins to listen, and has everything looked at that was written before that.
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

  /// Reads what has come.
  private func hear() {
    guard let hearing = state.withLock({ $0.hearing }) else { return }
    let (payloads, isLost) = hearing.read()
    // Not `contains`: each is taken.
    if !payloads.filter(takes).isEmpty { tell() }
    guard isLost else { return }
    hearing.end()
    state.withLock { $0.hearing = nil }
    connect()
  }

  /// Tells at once, or a moment after the last time.
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

/// A connection while it is listened to.
///
/// Dispatch forgets a descriptor whose other end is gone (`EPOLLHUP`), now and then without saying so, and
/// with the server's last words unread. It watches an `epoll` of this connection alone instead, which is
/// readable for as long as the connection is, and never hangs up.
private final class Hearing: Sendable {
  private let connection: Lock<PostgreSQLConnection?>
  private let source: Lock<any DispatchSourceRead>

  /// - Throws: where the system has no descriptor left.
  init(
    _ connection: sending PostgreSQLConnection, _ queue: DispatchQueue,
    _ heard: @escaping @Sendable () -> Void
  ) throws {
    let watch = cpostgresql_watch(PQsocket(connection.pointer))
    guard watch >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
    let held = Lock<PostgreSQLConnection?>(connection)
    let source = DispatchSource.makeReadSource(fileDescriptor: watch, queue: queue)
    source.setEventHandler(handler: heard)
    // Not closed before the system has stopped looking at it.
    source.setCancelHandler {
      close(watch)
      held.withLock { $0 = nil }
    }
    source.activate()
    self.connection = held
    self.source = Lock(source)
  }

  /// What has come, and whether nothing more will.
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

  /// Does nothing the second time.
  func end() { source.withLock { $0.cancel() } }
}
#endif

import CMalloc
import Foundation
import Synchronization

/// One way of using SQLite. A new one is made for every measurement, so that none inherits a cache.
protocol Contender: SendableMetatype {
  static var name: String { get }

  /// Opens the file; off the clock.
  init(file: URL, rows: Int) throws

  /// Does the work and returns the seconds it took, without its preparation; nil if it has no way to do it.
  @MainActor func seconds(for work: Work) async throws -> Double?

  /// The bytes of each object that was fetched and is held; nil without objects.
  @MainActor func bytesPerObject() async throws -> Double?

  /// Closes the file; off the clock.
  func close() throws
}

/// Adds up the time of the parts of a measurement that count.
struct Stopwatch {
  private(set) var seconds = 0.0

  /// The processor time of all threads of the process in `time` since it was set to 0.
  static let processorSeconds = Mutex(0.0)

  /// Reads the processor time of a server, and the number of waits for it; nil without one.
  static let server = Mutex<(@Sendable () -> ServerAccount)?>(nil)
  /// The count of `server` in `time` since it was reset.
  static let serverAccount = Mutex(ServerAccount())

  mutating func time<Result>(_ body: () throws -> Result) rethrows -> Result {
    let server = Self.server.withLock(\.self)
    let startOfServer = server?()
    start_counting_instructions()
    defer { stop_counting_instructions() }
    let startOfProcessor = processorNanoseconds
    let start = ContinuousClock.now
    let result = try body()
    add(ContinuousClock.now - start)
    stop_counting_instructions()
    let spent = processorNanoseconds - startOfProcessor
    Self.processorSeconds.withLock { $0 += Double(spent) * 1e-9 }
    if let startOfServer, let end = server?() {
      Self.serverAccount.withLock {
        $0.nanoseconds += end.nanoseconds - startOfServer.nanoseconds
        $0.waits += end.waits - startOfServer.waits
      }
    }
    return result
  }

  private var processorNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  mutating func add(_ duration: Duration) {
    let elapsed = duration.components
    seconds += Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
  }
}

/// The costs of a server.
struct ServerAccount {
  /// Processor time of all its processes.
  var nanoseconds: Int64 = 0
  /// How often the program has waited for an answer.
  var waits = 0
}

/// Keeps the compiler from leaving out work whose result has no use.
@inline(never)
func use(_ value: some Any) {
  withExtendedLifetime(value) {}
}

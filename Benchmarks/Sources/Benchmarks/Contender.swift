import CMalloc
import Foundation
import Synchronization

/// One way of using SQLite. A new one is made for every measurement, so that nobody inherits a cache.
protocol Contender: SendableMetatype {
  static var name: String { get }

  /// Opens the file; off the clock.
  init(file: URL, rows: Int) throws

  /// Does the work and returns the seconds it took, without what had to be there before; nil where
  /// it has no way to do it.
  @MainActor func seconds(for work: Work) async throws -> Double?

  /// Bytes that each object takes which was fetched and is held; nil where there are no objects.
  @MainActor func bytesPerObject() async throws -> Double?

  /// Closes the file; off the clock.
  func close() throws
}

/// Adds up the time of the parts of a measurement that count.
struct Stopwatch {
  private(set) var seconds = 0.0

  /// What all threads of the process have spent in `time` since it was set to 0.
  static let processorSeconds = Mutex(0.0)

  /// Reads what a server has spent, and how often it was waited for; nil where there is none.
  static let server = Mutex<(@Sendable () -> ServerAccount)?>(nil)
  /// What `server` has counted in `time` since it was set to nothing.
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

/// What a server was asked for.
struct ServerAccount {
  /// Processor time of all its processes.
  var nanoseconds: Int64 = 0
  /// How often the program has waited for an answer.
  var waits = 0
}

/// Keeps the compiler from leaving out work whose result nobody looks at.
@inline(never)
func use(_ value: some Any) {
  withExtendedLifetime(value) {}
}

import Foundation

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

  mutating func time<Result>(_ body: () throws -> Result) rethrows -> Result {
    let start = ContinuousClock.now
    let result = try body()
    add(ContinuousClock.now - start)
    return result
  }

  mutating func add(_ duration: Duration) {
    let elapsed = duration.components
    seconds += Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
  }
}

/// Keeps the compiler from leaving out work whose result nobody looks at.
@inline(never)
func use(_ value: some Any) {
  withExtendedLifetime(value) {}
}

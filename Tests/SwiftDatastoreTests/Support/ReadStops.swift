import DatastoreCore
import Dispatch

/// Runs a closure on the main queue when a read of the store has ended, before its answer arrives: one stop
/// for each of the next reads. Given to a datastore as `Options.traceSQL`.
///
/// The main queue is still from the beginning of the read to its end. Reads by the main actor itself count as
/// well; their stop comes when the main actor has nothing else to do.
final class ReadStops: Sendable {
  typealias Stop = @MainActor @Sendable () -> Void

  private struct State {
    var stops: [Stop] = []
    /// Whether a stop has begun and is not over: reads meanwhile are ignored.
    var isStopping = false
    var isReading = false
    var isAtStatements = false
  }

  private let state = Lock(State())
  private let end = DispatchSemaphore(value: 0)

  /// Stops at each of the reads that begin from now on.
  func stop(at stops: [Stop]) {
    state.withLock { $0.stops = stops }
  }

  /// Stops no more.
  ///
  /// - Returns: how many reads there would have to be for the stops that are left.
  @discardableResult
  func finish() -> Int {
    state.withLock { state in
      defer { state.stops = [] }
      return state.stops.count
    }
  }

  /// Takes each question for a read of its own: of a transaction that stays open neither the beginning nor
  /// the end is reported.
  func stopAtStatements() {
    state.withLock { $0.isAtStatements = true }
  }

  /// Looks at a statement that is about to run.
  func record(_ sql: String) {
    if state.withLock({ $0.isAtStatements }) {
      guard sql.hasPrefix("SELECT") else { return }
      begin()
      finishRead()
    } else if sql.hasPrefix("BEGIN") {
      begin()
    } else if sql.hasPrefix("COMMIT") || sql.hasPrefix("ROLLBACK") {
      finishRead()
    }
  }

  private func begin() {
    let stop = state.withLock { state -> Stop? in
      guard !state.isStopping, !state.stops.isEmpty else { return nil }
      state.isStopping = true
      state.isReading = true
      return state.stops.removeFirst()
    }
    guard let stop else { return }
    DispatchQueue.main.async {
      self.end.wait()
      MainActor.assumeIsolated(stop)
      self.state.withLock { $0.isStopping = false }
    }
  }

  private func finishRead() {
    let isEnd = state.withLock { state in
      defer { state.isReading = false }
      return state.isReading
    }
    if isEnd { end.signal() }
  }
}

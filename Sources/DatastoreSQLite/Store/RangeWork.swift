import DatastoreCore
import Dispatch
import GRDB

/// Work on ranges of keys that several connections share: each processes one range after the other until none
/// is left. The calling thread receives the results in order, and works with the first connection whenever
/// there is no result to receive.
final class RangeWork<Result: Sendable>: Sendable {
  typealias Body = @Sendable (ClosedRange<RowKey>, Database) throws -> Result

  private struct State {
    /// The first range that was not begun.
    var next = 0
    /// By range; nil before it is done, and after it was received.
    var results: [Result?]
    /// The error that ended the work before all ranges were done.
    var failure: (any Error)?
  }

  private let ranges: [ClosedRange<RowKey>]
  private let body: Body
  private let state: Lock<State>
  /// Counts the results of the other connections.
  private let done = DispatchSemaphore(value: 0)

  init(_ ranges: [ClosedRange<RowKey>], _ body: @escaping Body) {
    self.ranges = ranges
    self.body = body
    state = Lock(State(results: Array(repeating: nil, count: ranges.count)))
  }

  /// Does the work; may be called once. All connections are idle when it returns.
  ///
  /// - Parameter take: is called for each range, in order, on the calling thread.
  /// - Throws: the error of `body`, as soon as it is known; later ranges are left out.
  func run(with connections: [DatabaseQueue], _ receive: (Result) -> Void) throws {
    let others = DispatchGroup()
    for connection in connections.dropFirst() {
      // Separate queues always get a thread; the global ones have few, which may all wait here.
      DispatchQueue(label: "RangeWork", qos: .userInitiated).async(group: others) {
        while self.doNext(with: connection) { self.done.signal() }
        // Wakes the thread that waits for a range that will not come.
        self.done.signal()
      }
    }
    defer { others.wait() }
    var taken = 0
    while taken < ranges.count {
      if let result = try takeResult(of: taken) {
        receive(result)
        taken += 1
      } else if !doNext(with: connections[0]) {
        done.wait()
      }
    }
  }

  /// The result of a range, if it is ready.
  ///
  /// - Throws: the failure, if there is one.
  private func takeResult(of range: Int) throws -> Result? {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.results[range].take()
    }
  }

  /// Processes the next range; returns false when there is none.
  private func doNext(with connection: DatabaseQueue) -> Bool {
    let next: Int? = state.withLock { state in
      guard state.failure == nil, state.next < ranges.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
    guard let next else { return false }
    let result = Swift.Result { try connection.inDatabase { try body(ranges[next], $0) } }
    state.withLock { state in
      switch result {
      case .success(let made): state.results[next] = made
      case .failure(let error): state.failure = state.failure ?? error
      }
    }
    return true
  }
}

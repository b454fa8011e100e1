package import DatastoreCore
import Dispatch
import Foundation

/// A call at the far end that is being answered.
package final class FarWork: Sendable {
  package let session: FarSession
  /// The snapshot to read; nil for the store.
  private let snapshot: UInt32?
  /// The number of the call.
  let id: UInt32
  private let flag = Lock(false)
  private let cancelTask = Lock<(@Sendable () -> Void)?>(nil)
  /// The number of further parts that may be under way.
  private let credit = DispatchSemaphore(value: 0)
  private let lastProgress = Lock<DispatchTime>(.now())

  // Set only before the call runs, on the thread that runs it.
  private let place: Lock<Place> = Lock(Place())

  /// The transaction that the call belongs to.
  private struct Place: @unchecked Sendable {
    // Unchecked: a transaction is used only on its own thread, which runs the call.
    var transaction: (any ReadTransaction)?
    var rows: (any RowTransaction)?
  }

  init(_ id: UInt32, in session: FarSession, reading snapshot: UInt32?) {
    self.id = id
    self.session = session
    self.snapshot = snapshot
    // Not by its initial value: a semaphore must not be released below that.
    for _ in 0..<8 { credit.signal() }
  }

  /// The store, or the snapshot to read.
  ///
  /// - Throws: `FarLineFault` if it is not open, or no longer open.
  package var reader: any ReadableStore { get throws { try session.reader(snapshot) } }

  package var transaction: (any ReadTransaction)? { place.withLock { $0 }.transaction }
  package var rows: (any RowTransaction)? { place.withLock { $0 }.rows }

  func begin(_ transaction: any ReadTransaction) {
    let own = Place(transaction: transaction, rows: nil)
    place.withLock { $0 = own }
  }

  func begin(_ rows: any RowTransaction) {
    let own = Place(transaction: nil, rows: rows)
    place.withLock { $0 = own }
  }

  /// Whether the caller no longer waits for the answer.
  package var isCancelled: @Sendable () -> Bool { { self.flag.withLock { $0 } } }

  /// Sets the closure to run when the call is cancelled.
  func onCancel(_ cancel: @escaping @Sendable () -> Void) {
    cancelTask.withLock { $0 = cancel }
    if isCancelled() { cancel() }
  }

  func cancel() {
    flag.withLock { $0 = true }
    credit.signal()
    cancelTask.withLock { $0 }?()
  }

  /// Records that the other end has received a part.
  func more() { credit.signal() }

  /// Sends a part of the answer; waits while too many are under way.
  ///
  /// - Throws: `CancellationError`; errors of the line.
  package func send(_ part: some Encodable) throws {
    credit.wait()
    if flag.withLock({ $0 }) { throw CancellationError() }
    try session.send(FarFrame(.part, id, FarBody.encode(part)))
  }

  /// Reports the progress of the call, at most ten times a second.
  package var progress: ReadProgress {
    { work in
      let isDue = self.lastProgress.withLock { last in
        guard DispatchTime.now().uptimeNanoseconds - last.uptimeNanoseconds > 100_000_000 else {
          return false
        }
        last = .now()
        return true
      }
      guard isDue, let body = try? FarBody.encode(work) else { return }
      try? self.session.send(FarFrame(.progress, self.id, body))
    }
  }
}

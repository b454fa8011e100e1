package import DatastoreCore
import Dispatch
import Foundation

/// One call at the far end, while it is answered.
package final class FarWork: Sendable {
  package let session: FarSession
  /// The snapshot that is read; nil for the store.
  private let snapshot: UInt32?
  /// The call.
  let id: UInt32
  private let flag = Lock(false)
  private let cancelTask = Lock<(@Sendable () -> Void)?>(nil)
  /// How many parts may be on their way.
  private let credit = DispatchSemaphore(value: 0)
  private let lastProgress = Lock<DispatchTime>(.now())

  // Only set before the call is run, on the thread that runs it.
  private let place: Lock<Place> = Lock(Place())

  /// Where a call is a part of something that was begun.
  private struct Place: @unchecked Sendable {
    // Unchecked: a transaction is used by the thread that it was begun on, which runs the call.
    var transaction: (any ReadTransaction)?
    var rows: (any RowTransaction)?
  }

  init(_ id: UInt32, in session: FarSession, reading snapshot: UInt32?) {
    self.id = id
    self.session = session
    self.snapshot = snapshot
    // Not by its first value, below which it must not be released.
    for _ in 0..<8 { credit.signal() }
  }

  /// The store, or the state of it that is read.
  ///
  /// - Throws: `FarLineFault` where it is not open, or open no more.
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

  /// Whether nobody waits for the answer any more.
  package var isCancelled: @Sendable () -> Bool { { self.flag.withLock { $0 } } }

  /// Has something done when the call is cancelled.
  func onCancel(_ cancel: @escaping @Sendable () -> Void) {
    cancelTask.withLock { $0 = cancel }
    if isCancelled() { cancel() }
  }

  func cancel() {
    flag.withLock { $0 = true }
    credit.signal()
    cancelTask.withLock { $0 }?()
  }

  /// A part was taken.
  func more() { credit.signal() }

  /// Sends a part of the answer; waits while too many are on their way.
  ///
  /// - Throws: `CancellationError`; what the line throws.
  package func send(_ part: some Encodable) throws {
    credit.wait()
    if flag.withLock({ $0 }) { throw CancellationError() }
    try session.send(FarFrame(.part, id, FarBody.encode(part)))
  }

  /// Says how far the work has come, ten times a second at most.
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

import DatastoreCore
import Dispatch

/// Rows on their way from the thread that reads them out of a file to the one that writes them into the store.
///
/// The reader is some batches ahead at most, so that memory does not grow with the file.
final class RowStream: Sendable {
  /// Rows that were read together, and what is wrong with the records between them.
  struct Batch: Sendable {
    /// Sealed.
    var pages: [RowPage] = []
    var faults: [LoadFault] = []
    /// Records of the file that were read so far, and bytes of it.
    var recordCount = 0
    var bytesRead = 0
  }

  /// What is known of a file that was read to its end.
  struct Ending: Sendable {
    var seenMarks: [String: [String: Int]]
    var observed: ObservedColumns?
  }

  /// Batches that the reader may be ahead.
  private static let mostBatches = 8

  private struct Contents {
    var batches: [Batch] = []
    var ending: Result<Ending, any Error>?
    var isClosed = false
  }

  private let contents = Lock(Contents())
  /// Counts the batches that there is room for.
  private let room = DispatchSemaphore(value: 0)
  /// Counts what can be taken: batches, and the ending.
  private let filled = DispatchSemaphore(value: 0)

  init() {
    // Not made with that value: it would have to be back at it in the end.
    for _ in 0..<Self.mostBatches { room.signal() }
  }

  /// Starts reading on a thread of its own.
  ///
  /// - Parameter read: sends what it reads until sending says that no more is wanted.
  func start(
    _ read: @escaping @Sendable (_ send: (Batch) -> Bool) throws -> Ending
  ) {
    BlockingWork.begin { [self] in
      let ending = Result { try read(send) }
      contents.withLock { $0.ending = ending }
      filled.signal()
    }
  }

  /// Puts a batch in; waits for room. False when no more is wanted.
  private func send(_ batch: Batch) -> Bool {
    room.wait()
    let isWanted = contents.withLock { contents in
      guard !contents.isClosed else { return false }
      contents.batches.append(batch)
      return true
    }
    filled.signal()
    return isWanted
  }

  /// The next batch, or what is known at the end. Waits.
  ///
  /// - Throws: what reading has thrown, after all batches before.
  func next() throws -> (batch: Batch?, ending: Ending?) {
    filled.wait()
    let (batch, ending) = contents.withLock { contents in
      contents.batches.isEmpty
        ? (nil, contents.ending) : (contents.batches.removeFirst(), nil)
    }
    room.signal()
    return (batch, try ending?.get())
  }

  /// Receives nothing any more, and releases a reader that waits.
  func close() {
    contents.withLock { $0.isClosed = true }
    room.signal()
  }
}

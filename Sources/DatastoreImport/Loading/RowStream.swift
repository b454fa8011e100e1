import DatastoreCore
import Gates

/// Passes rows from the thread that reads a file to the one that writes them into the store.
final class RowStream: Sendable {
  /// The distance between two rows whose places in the file are known.
  static let stride = 16

  /// Rows that were read together, and the faults of the records between them.
  struct Batch: Sendable {
    /// Sealed.
    var pages: [RowPage] = []
    var faults: [LoadFault] = []
    /// Records and bytes of the file that were read so far.
    var recordCount = 0
    var bytesRead = 0
    /// The places of every `stride`th row, in a file that is read unchanged.
    var places: [Int] = []
    /// The texts of the rows in the columns whose texts are kept.
    var texts = RowTexts()
    /// The irregular ones among those records.
    var irregular = IrregularRecords()
  }

  /// The results of a file that was read to its end.
  struct Ending: Sendable {
    var seenMarks: [String: [String: Int]]
    var lostZones: [String: Int] = [:]
    var lostDigits: [String: Int] = [:]
    var observed: ObservedColumns?
    var irregular = IrregularRecords()
  }

  /// Eight batches ahead at most.
  private let queue = BoundedQueue<Batch, Ending>(most: 8)

  /// Starts reading on a thread of its own.
  ///
  /// - Parameter read: sends batches until sending returns that no more are wanted.
  func start(
    _ read: @escaping @Sendable (_ send: (Batch) -> Bool) throws -> Ending
  ) {
    BlockingWork.begin { [queue] in queue.end(Result { try read(queue.put) }) }
  }

  /// The next batch, or the results at the end. Waits.
  ///
  /// - Throws: the errors of reading, after all batches before.
  func next() throws -> (batch: Batch?, ending: Ending?) {
    switch try queue.next() {
    case .piece(let batch): (batch, nil)
    case .ending(let ending): (nil, ending)
    }
  }

  /// Receives nothing any more, and releases a reader that waits.
  func close() { queue.close() }
}

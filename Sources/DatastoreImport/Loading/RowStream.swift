import DatastoreCore
import Gates

/// Rows on their way from the thread that reads them out of a file to the one that writes them into the
/// store.
final class RowStream: Sendable {
  /// How many rows lie between two whose places in the file are known.
  static let stride = 16

  /// Rows that were read together, and what is wrong with the records between them.
  struct Batch: Sendable {
    /// Sealed.
    var pages: [RowPage] = []
    var faults: [LoadFault] = []
    /// Records of the file that were read so far, and bytes of it.
    var recordCount = 0
    var bytesRead = 0
    /// Where the records begin whose rows are the first of each `stride`, in a file that is read as it is.
    var places: [Int] = []
    /// What the rows have in the columns whose texts are kept.
    var texts = RowTexts()
    /// Which of those records are irregular.
    var irregular = IrregularRecords()
  }

  /// What is known of a file that was read to its end.
  struct Ending: Sendable {
    var seenMarks: [String: [String: Int]]
    var lostZones: [String: Int] = [:]
    var observed: ObservedColumns?
    var irregular = IrregularRecords()
  }

  /// Eight batches ahead at most.
  private let queue = BoundedQueue<Batch, Ending>(most: 8)

  /// Starts reading on a thread of its own.
  ///
  /// - Parameter read: sends what it reads until sending says that no more is wanted.
  func start(
    _ read: @escaping @Sendable (_ send: (Batch) -> Bool) throws -> Ending
  ) {
    BlockingWork.begin { [queue] in queue.end(Result { try read(queue.put) }) }
  }

  /// The next batch, or what is known at the end. Waits.
  ///
  /// - Throws: what reading has thrown, after all batches before.
  func next() throws -> (batch: Batch?, ending: Ending?) {
    switch try queue.next() {
    case .piece(let batch): (batch, nil)
    case .ending(let ending): (nil, ending)
    }
  }

  /// Receives nothing any more, and releases a reader that waits.
  func close() { queue.close() }
}

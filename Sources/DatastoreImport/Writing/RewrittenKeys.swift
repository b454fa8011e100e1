import DatastoreCore

/// The rows that the records of a file are: from 1 on as they were read, and when the file has been rewritten
/// once, the rows that existed then.
struct RewrittenKeys {
  private let memory: RewriteMemory
  private let ranges: [ClosedRange<Int64>]
  /// The range that the key of the next record is in, and that key.
  private var place: (range: Int, key: Int64)?
  /// The keys of the rows in the new file.
  private var written: [ClosedRange<Int64>] = []

  init(_ memory: RewriteMemory) {
    self.memory = memory
    ranges = memory.keys ?? [1...Int64.max]
    place = ranges.first.map { (0, $0.lowerBound) }
  }

  /// The key of the next record.
  ///
  /// - Throws: `RewriteRefusal` when the file has become longer.
  mutating func take() throws -> RowKey {
    guard let (range, key) = place else {
      throw RewriteRefusal(description: "it has more records than were written into it")
    }
    if key < ranges[range].upperBound {
      place = (range, key + 1)
    } else {
      place = range + 1 < ranges.count ? (range + 1, ranges[range + 1].lowerBound) : nil
    }
    return RowKey(key)
  }

  /// Records a row of the new file.
  mutating func record(_ key: RowKey) {
    let key = key.rawValue
    if let last = written.last, last.upperBound + 1 == key {
      written[written.count - 1] = last.lowerBound...key
    } else {
      written.append(key...key)
    }
  }

  /// The memory for rewriting the new file.
  ///
  /// - Throws: `RewriteRefusal` when the file has become shorter.
  func finish(_ dateOrders: [String: DateOrder]?) throws -> RewriteMemory {
    if memory.keys != nil, place != nil {
      throw RewriteRefusal(description: "it has fewer records than were written into it")
    }
    var memory = memory
    memory.keys = written
    memory.dateOrders = dateOrders
    return memory
  }
}

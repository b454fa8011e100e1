import DatastoreCore

/// The progress of a table of many rows, estimated from the cost of a sample.
final class DerivedTableProgress: Sendable {
  private struct Count {
    var ofSample = 0
    var percent = 0
  }

  private let count = Lock(Count())

  /// Records the cost of the sample so far.
  func recordSample(_ work: Int) { count.withLock { $0.ofSample = work } }

  /// The percentage of some work, if it has grown since the last call; at most 99.
  ///
  /// - Parameters:
  ///   - rows: the number of all rows.
  ///   - sample: the number of rows in the sample.
  func percent(_ work: Int, of rows: Int, sample: Int) -> Int? {
    count.withLock { count in
      guard count.ofSample > 0 else { return nil }
      let whole = Double(count.ofSample) * Double(rows) / Double(sample)
      let percent = min(99, Int(Double(work) * 100 / whole))
      guard percent > count.percent else { return nil }
      count.percent = percent
      return percent
    }
  }
}

/// The progress of several queries that run one after the other.
final class SummedProgress: Sendable {
  private let progress: ReadProgress?
  /// The work of the queries before, and that of the current one.
  private let work = Lock((before: 0, last: 0))

  init(_ progress: ReadProgress?) { self.progress = progress }

  /// Returns the progress handler for the next query.
  func next() -> ReadProgress? {
    guard let progress else { return nil }
    work.withLock { $0 = ($0.before + $0.last, 0) }
    return { [work] done in
      progress(
        work.withLock { work in
          work.last = done
          return work.before + done
        })
    }
  }
}

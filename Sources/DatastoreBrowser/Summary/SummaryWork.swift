import DatastoreCore

/// How far a summary of many rows has come: what the sample of them has cost says what all will cost.
final class SummaryWork: Sendable {
  private struct Count {
    var ofSample = 0
    var percent = 0
  }

  private let count = Lock(Count())

  /// Notes what the sample has cost so far.
  func noteSample(_ work: Int) { count.withLock { $0.ofSample = work } }

  /// The percentage that some work is, when it is another one than the last time; never all of it.
  func percent(_ work: Int, of request: SummaryRequest) -> Int? {
    count.withLock { count in
      guard count.ofSample > 0 else { return nil }
      let whole = Double(count.ofSample) * Double(request.rows) / Double(request.sample.count)
      let percent = min(99, Int(Double(work) * 100 / whole))
      guard percent > count.percent else { return nil }
      count.percent = percent
      return percent
    }
  }
}

import DatastoreCore

/// How far a table of many rows has come: what the sample of them has cost says what all will cost.
final class DerivedTableProgress: Sendable {
  private struct Count {
    var ofSample = 0
    var percent = 0
  }

  private let count = Lock(Count())

  /// Records what the sample has cost so far.
  func recordSample(_ work: Int) { count.withLock { $0.ofSample = work } }

  /// The percentage that some work is, when it is another one than the last time; never all of it.
  ///
  /// - Parameters:
  ///   - rows: how many there are in all.
  ///   - sample: how many of them the sample has.
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

/// How far several questions that are asked one after the other have come together.
final class SummedProgress: Sendable {
  private let progress: ReadProgress?
  /// The work of the questions before, and that of the last one.
  private let work = Lock((before: 0, last: 0))

  init(_ progress: ReadProgress?) { self.progress = progress }

  /// Hears how far the next question has come.
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

/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
  /// The number of records that are done: imported or skipped.
  public let completed: Int
  /// The total number of records; nil if it is not known in advance.
  public let total: Int?

  init(completed: Int, total: Int?) {
    self.completed = completed
    self.total = total
  }

  /// From 0 to 1; nil if the total is not known.
  public var fractionCompleted: Double? {
    total.map { $0 == 0 ? 1 : Double(completed) / Double($0) }
  }
}

/// Counts the records of an import, reports progress, and checks for cancellation.
struct ImportCounter {
  /// Records between two reports.
  static let interval = 1_000
  /// Records between two checks.
  private static let patience = 100

  private let total: Int?
  private let report: ((ImportProgress) throws -> Void)?
  private let isStopped: (() -> Bool)?
  private(set) var completed = 0

  /// - Parameter records: the records, whose number is used if it is known.
  init(
    _ records: some Sequence, report: ((ImportProgress) throws -> Void)?,
    isStopped: (() -> Bool)?
  ) {
    self.init(count: records.underestimatedCount, report: report, isStopped: isStopped)
  }

  /// - Parameter count: the number of records; 0 if it is not known.
  init(count: Int, report: ((ImportProgress) throws -> Void)?, isStopped: (() -> Bool)?) {
    total = count == 0 ? nil : count
    self.report = report
    self.isStopped = isStopped
  }

  /// Counts records that are done.
  ///
  /// - Throws: `CancellationError` when the import is cancelled; the error of the report.
  mutating func add(_ count: Int = 1) throws {
    let former = completed
    completed += count
    if former / Self.patience != completed / Self.patience { try checkCancellation() }
    if former / Self.interval != completed / Self.interval {
      try report?(progress)
    }
  }

  /// The total may have been an estimate.
  private var progress: ImportProgress {
    ImportProgress(completed: completed, total: total.flatMap { $0 < completed ? nil : $0 })
  }

  func checkCancellation() throws {
    if isStopped?() ?? false { throw CancellationError() }
    try Task.checkCancellation()
  }

  /// Makes the last report, unless it was made.
  func end() throws {
    if completed == 0 || completed % Self.interval != 0 { try report?(progress) }
  }
}

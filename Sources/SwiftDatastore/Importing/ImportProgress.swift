/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
  /// How many records are done: imported, or passed over.
  public let completed: Int
  /// How many there are; nil where that is not known before they have come.
  public let total: Int?

  init(completed: Int, total: Int?) {
    self.completed = completed
    self.total = total
  }

  /// From 0 to 1; nil where the total is not known.
  public var fractionCompleted: Double? {
    total.map { $0 == 0 ? 1 : Double(completed) / Double($0) }
  }
}

/// Counts the records of an import, reports them, and asks whether it is to go on.
struct ImportCounter {
  /// Records between two reports.
  static let interval = 1_000
  /// Records between two questions.
  private static let patience = 100

  private let total: Int?
  private let report: ((ImportProgress) throws -> Void)?
  private let isStopped: (() -> Bool)?
  private(set) var completed = 0

  /// - Parameter records: what is imported, if its number is known.
  init(
    _ records: some Sequence, report: ((ImportProgress) throws -> Void)?,
    isStopped: (() -> Bool)?
  ) {
    self.init(count: records.underestimatedCount, report: report, isStopped: isStopped)
  }

  /// - Parameter count: how many records there are; 0 where that is not known.
  init(count: Int, report: ((ImportProgress) throws -> Void)?, isStopped: (() -> Bool)?) {
    total = count == 0 ? nil : count
    self.report = report
    self.isStopped = isStopped
  }

  /// Counts records that are done.
  ///
  /// - Throws: `CancellationError` when the import is to end; what the report throws.
  mutating func add(_ count: Int = 1) throws {
    let former = completed
    completed += count
    if former / Self.patience != completed / Self.patience { try checkCancellation() }
    if former / Self.interval != completed / Self.interval {
      try report?(progress)
    }
  }

  /// What was said to be the total may have been an estimate.
  private var progress: ImportProgress {
    ImportProgress(completed: completed, total: total.flatMap { $0 < completed ? nil : $0 })
  }

  func checkCancellation() throws {
    if isStopped?() ?? false { throw CancellationError() }
    try Task.checkCancellation()
  }

  /// The last report, unless it was made.
  func end() throws {
    if completed == 0 || completed % Self.interval != 0 { try report?(progress) }
  }
}

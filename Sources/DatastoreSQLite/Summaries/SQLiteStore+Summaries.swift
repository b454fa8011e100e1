package import DatastoreCore
import GRDB
import GRDBSQLite

/// Summaries of one property over the rows of a request, computed by SQLite. They are about what is
/// saved. Cancelling the task interrupts the query.
extension SQLiteStore {
  /// How often each value occurs, the most frequent first.
  ///
  /// - Parameter limit: how many values are returned at most.
  package func frequencies(
    of path: [String], in request: DatastoreCore.FetchRequest, limit: Int
  ) async throws -> FrequencyTable {
    try await summary(request) { builder, database in
      let statement = try RawStatement(
        builder.frequencies(of: path, in: request, limit: limit), in: database)
      var entries: [FrequencyTable.Entry] = []
      var distinct = 0
      var total = 0
      while try statement.step() {
        entries.append(
          FrequencyTable.Entry(value: statement.value(at: 0), count: statement.count(at: 1)))
        distinct = statement.count(at: 2)
        total = statement.count(at: 3)
      }
      return FrequencyTable(entries: entries, distinctCount: distinct, rowCount: total)
    }
  }

  /// Counts, extremes, mean, median and deviation.
  package func statistics(
    of path: [String], in request: DatastoreCore.FetchRequest
  ) async throws -> ColumnStatistics {
    try await summary(request) { builder, database in
      let first = try RawStatement(builder.statistics(of: path, in: request), in: database)
      guard try first.step() else {
        preconditionFailure("aggregates without groups have one row")
      }
      var statistics = ColumnStatistics(
        rowCount: first.count(at: 0), nullCount: first.count(at: 0) - first.count(at: 1),
        distinctCount: first.count(at: 2), minimum: first.value(at: 3),
        maximum: first.value(at: 4), numbers: nil, textLengths: nil,
        emptyTextCount: first.count(at: 10))
      if case .integer(let shortest) = first.value(at: 8),
        case .integer(let longest) = first.value(at: 9)
      {
        statistics.textLengths = Int(shortest)...Int(longest)
      }
      let count = first.count(at: 5)
      guard count > 0, let sum = first.number(at: 6), let mean = first.number(at: 7) else {
        return statistics
      }
      // The second pass takes the mean away before squaring, which the sum of squares does not bear.
      let second = try RawStatement(
        builder.squares(of: path, in: request, mean: mean), in: database)
      let squares = try second.step() ? second.number(at: 0) : nil
      let middle = try RawStatement(
        builder.middle(of: path, in: request, count: count), in: database)
      var middles: [Double] = []
      while try middle.step() { if let number = middle.number(at: 0) { middles.append(number) } }
      statistics.numbers = ColumnStatistics.Numbers(
        count: count, sum: sum, mean: mean,
        median: middles.reduce(0, +) / Double(max(1, middles.count)),
        standardDeviation: count > 1 ? squares.map { ($0 / Double(count - 1)).squareRoot() } : nil)
      return statistics
    }
  }

  /// How the numbers among the values are spread, or nil when there are none.
  ///
  /// - Parameter bins: the number of intervals; fewer where whole numbers do not fill as many.
  package func histogram(
    of path: [String], in request: DatastoreCore.FetchRequest, bins: Int
  ) async throws -> Histogram? {
    try await summary(request) { builder, database in
      guard let (scale, otherCount) = try self.scale(of: path, in: request, bins, builder, database)
      else { return nil }
      var counts = [Int](repeating: 0, count: scale.count)
      let statement = try RawStatement(
        builder.histogram(of: path, in: request, scale), in: database)
      while try statement.step() {
        counts[scale.bin(statement.count(at: 0))] += statement.count(at: 1)
      }
      return Histogram(
        minimum: scale.minimum, maximum: scale.maximum, width: scale.width, counts: counts,
        otherCount: otherCount)
    }
  }

  /// The intervals over which the numbers among the values are spread, or nil when there are none.
  ///
  /// - Parameter bins: the number of intervals; fewer where whole numbers do not fill as many.
  package func histogramScale(
    of path: [String], in request: DatastoreCore.FetchRequest, bins: Int
  ) async throws -> HistogramScale? {
    try await summary(request) { builder, database in
      try self.scale(of: path, in: request, bins, builder, database)?.0
    }
  }

  /// How the numbers of each group are spread over the same intervals, in one pass over the rows. A
  /// group without numbers is left out.
  package func groupedHistograms(
    of path: [String], in request: DatastoreCore.FetchRequest, groupBy groupPath: [String],
    _ scale: HistogramScale
  ) async throws -> [(group: Value, counts: [Int])] {
    try await summary(request) { builder, database in
      let statement = try RawStatement(
        builder.groupedHistograms(of: path, in: request, groupBy: groupPath, scale), in: database)
      var groups: [(group: Value, counts: [Int])] = []
      while try statement.step() {
        let group = statement.value(at: 0)
        if groups.last?.group != group {
          groups.append((group, [Int](repeating: 0, count: scale.count)))
        }
        groups[groups.count - 1].counts[scale.bin(statement.count(at: 1))] += statement.count(at: 2)
      }
      return groups
    }
  }

  private func scale(
    of path: [String], in request: DatastoreCore.FetchRequest, _ bins: Int, _ builder: QueryBuilder,
    _ database: Database
  ) throws -> (HistogramScale, otherCount: Int)? {
    let range = try RawStatement(builder.numericRange(of: path, in: request), in: database)
    guard try range.step(), let minimum = range.number(at: 0), let maximum = range.number(at: 1)
    else { return nil }
    let span = maximum - minimum
    guard span.isFinite else { return nil }
    let areWhole = range.count(at: 2) == range.count(at: 3)
    // Intervals of whole numbers are a whole number wide, so that each has as many of them.
    let width = areWhole ? max(1, ((span + 1) / Double(bins)).rounded(.up)) : span / Double(bins)
    let count = width > 0 ? min(bins, Int(span / width) + (areWhole ? 1 : 0)) : 1
    let scale = HistogramScale(
      minimum: minimum, maximum: maximum, width: width > 0 ? width : 1, count: max(1, count))
    return (scale, range.count(at: 4) - range.count(at: 3))
  }

  /// Terms over groups, as `aggregates` has them, without blocking a thread.
  package func groupedAggregates(
    _ terms: [AggregateTerm], of request: DatastoreCore.FetchRequest, groupBy path: [String]
  ) async throws -> [[Value]] {
    try await summary(request) { builder, database in
      try Self.rows(
        RawStatement(
          builder.aggregates(terms, of: request, groupBy: [path], having: []), in: database))
    }
  }

  private func summary<Result: Sendable>(
    _ request: DatastoreCore.FetchRequest,
    _ body: @escaping @Sendable (QueryBuilder, Database) throws -> Result
  ) async throws -> Result {
    try await readAsync { database in
      let builder = QueryBuilder(self.mapping)
      let entity = try builder.entity(named: request.entity)
      return try self.reading(entity) { try body(builder, database) }
    }
  }
}

extension RawStatement {
  fileprivate func count(at column: Int32) -> Int {
    if case .integer(let count) = value(at: column) { Int(count) } else { 0 }
  }

  fileprivate func number(at column: Int32) -> Double? {
    switch value(at: column) {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .null, .text, .blob: nil
    }
  }
}

extension HistogramScale {
  /// The interval for a number that SQL has computed, which rounding may have put outside.
  fileprivate func bin(_ computed: Int) -> Int { min(max(0, computed), count - 1) }
}

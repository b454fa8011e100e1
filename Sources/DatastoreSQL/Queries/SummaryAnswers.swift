import Basics
package import DatastoreCore

/// What runs the statements of summaries.
package protocol SummarizingTransaction {
  func summing<Answer>(
    _ request: FetchRequest, _ body: (SummaryAnswers) throws -> Answer
  ) throws -> Answer
}

extension SummarizingTransaction {
  package func answer(_ question: FrequencyQuestion) throws -> FrequencyTable {
    try summing(question.request) { try $0.answer(question) }
  }

  package func answer(_ question: StatisticsQuestion) throws -> ColumnStatistics {
    try summing(question.request) { try $0.answer(question) }
  }

  package func answer(_ question: HistogramQuestion) throws -> Histogram? {
    try summing(question.request) { try $0.answer(question) }
  }

  package func answer(_ question: HistogramScaleQuestion) throws -> HistogramScale? {
    try summing(question.histogram.request) { try $0.answer(question) }
  }

  package func answer(_ question: GroupedHistogramsQuestion) throws -> [GroupedHistogramsQuestion
    .Group]
  {
    try summing(question.request) { try $0.answer(question) }
  }
}

/// Summaries of one property over the rows of a request, computed by the engine.
package struct SummaryAnswers {
  private let builder: QueryBuilder
  /// Runs a statement.
  private let rows: (SQLFragment) throws -> [[Value]]

  package init(
    _ builder: QueryBuilder, _ rows: @escaping (SQLFragment) throws -> [[Value]]
  ) {
    self.builder = builder
    self.rows = rows
  }

  package func answer(_ question: FrequencyQuestion) throws -> FrequencyTable {
    let rows = try rows(
      builder.frequencies(of: question.path, in: question.request, limit: question.limit))
    return FrequencyTable(
      entries: rows.map { FrequencyTable.Entry(value: $0[0], count: $0[1].count) },
      distinctCount: rows.last?[2].count ?? 0, rowCount: rows.last?[3].count ?? 0)
  }

  package func answer(_ question: StatisticsQuestion) throws -> ColumnStatistics {
    let (path, request) = (question.path, question.request)
    guard let first = try rows(builder.statistics(of: path, in: request)).first else {
      trap("aggregates without groups have one row")
    }
    var statistics = ColumnStatistics(
      rowCount: first[0].count, nullCount: first[0].count - first[1].count,
      distinctCount: first[2].count, minimum: first[3], maximum: first[4], numbers: nil,
      textLengths: nil, emptyTextCount: first[10].count)
    if case .integer(let shortest) = first[8], case .integer(let longest) = first[9] {
      statistics.textLengths = Int(shortest)...Int(longest)
    }
    let count = first[5].count
    guard count > 0, let sum = first[6].number, let mean = first[7].number else {
      return statistics
    }
    // The second pass takes the mean away before squaring, which the sum of squares does not bear.
    let squares = try rows(builder.squares(of: path, in: request, mean: mean)).first?[0].number
    let middles = try rows(builder.middle(of: path, in: request, count: count))
      .compactMap(\.[0].number)
    statistics.numbers = ColumnStatistics.Numbers(
      count: count, sum: sum, mean: mean,
      median: middles.reduce(0, +) / Double(max(1, middles.count)),
      standardDeviation: count > 1 ? squares.map { ($0 / Double(count - 1)).squareRoot() } : nil)
    return statistics
  }

  package func answer(_ question: HistogramQuestion) throws -> Histogram? {
    guard let (scale, otherCount) = try scale(of: question) else { return nil }
    var counts = [Int](repeating: 0, count: scale.count)
    for row in try rows(builder.histogram(of: question.path, in: question.request, scale)) {
      counts[scale.bin(row[0].count)] += row[1].count
    }
    return Histogram(
      minimum: scale.minimum, maximum: scale.maximum, width: scale.width, counts: counts,
      otherCount: otherCount)
  }

  package func answer(_ question: HistogramScaleQuestion) throws -> HistogramScale? {
    try scale(of: question.histogram)?.0
  }

  package func answer(
    _ question: GroupedHistogramsQuestion
  ) throws -> [GroupedHistogramsQuestion.Group] {
    let scale = question.scale
    let rows = try rows(
      builder.groupedHistograms(
        of: question.path, in: question.request, groupBy: question.groupPath, scale))
    var groups: [GroupedHistogramsQuestion.Group] = []
    for row in rows {
      if groups.last?.group != row[0] {
        groups.append(.init(group: row[0], counts: [Int](repeating: 0, count: scale.count)))
      }
      groups[groups.count - 1].counts[scale.bin(row[1].count)] += row[2].count
    }
    return groups
  }

  private func scale(
    of question: HistogramQuestion
  ) throws -> (HistogramScale, otherCount: Int)? {
    guard let range = try rows(builder.numericRange(of: question.path, in: question.request)).first,
      let minimum = range[0].number, let maximum = range[1].number
    else { return nil }
    let span = maximum - minimum
    guard span.isFinite else { return nil }
    let bins = question.bins
    let areWhole = range[2].count == range[3].count
    // Intervals of whole numbers are a whole number wide, so that each has as many of them.
    let width = areWhole ? max(1, ((span + 1) / Double(bins)).rounded(.up)) : span / Double(bins)
    let count = width > 0 ? min(bins, Int(span / width) + (areWhole ? 1 : 0)) : 1
    let scale = HistogramScale(
      minimum: minimum, maximum: maximum, width: width > 0 ? width : 1, count: max(1, count))
    return (scale, range[4].count - range[3].count)
  }
}

extension Value {
  fileprivate var count: Int {
    if case .integer(let count) = self { Int(count) } else { 0 }
  }
}

extension HistogramScale {
  /// The interval for a number that SQL has computed, which rounding may have put outside.
  fileprivate func bin(_ computed: Int) -> Int { min(max(0, computed), count - 1) }
}

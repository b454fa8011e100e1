import Basics
package import DatastoreCore

// Summaries of one property over the rows of a request, computed by the engine.

extension FrequencyQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> FrequencyTable {
    try session.asking(request) { builder, _ in
      let rows = try session.rows(builder.frequencies(of: path, in: request, limit: limit))
      return FrequencyTable(
        entries: rows.map { FrequencyTable.Entry(value: $0[0], count: $0[1].wholeNumber) },
        rowCount: rows.last?[2].wholeNumber ?? 0)
    }
  }
}

extension StatisticsQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> ColumnStatistics {
    try session.asking(request) { builder, _ in try answer(session, builder) }
  }

  private func answer(
    _ session: some SQLSession, _ builder: QueryBuilder
  ) throws -> ColumnStatistics {
    guard let first = try session.rows(builder.statistics(of: path, in: request)).first else {
      trap("aggregates without groups have one row")
    }
    var statistics = ColumnStatistics(
      rowCount: first[0].wholeNumber, nullCount: first[0].wholeNumber - first[1].wholeNumber,
      distinctCount: first[2].wholeNumber, minimum: first[3], maximum: first[4], numbers: nil,
      textLengths: nil, emptyTextCount: first[10].wholeNumber)
    if case .integer(let shortest) = first[8], case .integer(let longest) = first[9] {
      statistics.textLengths = Int(shortest)...Int(longest)
    }
    let count = first[5].wholeNumber
    guard count > 0, !first[6].isNull, let mean = first[7].number else { return statistics }
    // The second pass subtracts the mean before squaring, because the sum of squares would lose precision.
    let squares = try session.rows(
      builder.squares(of: path, in: request, mean: statistics.shift(near: mean))
    ).first?.compactMap(\.number)
    let middles = try session.rows(builder.middle(of: path, in: request, count: count)).map(\.[0])
    var deviation: Double?
    if count > 1, let squares, squares.count == 2 {
      // What the mean was rounded by is in each difference.
      let rest = squares[1] * squares[1] / Double(count)
      let exact = rest.isFinite ? max(0, squares[0] - rest) : squares[0]
      deviation = (exact / Double(count - 1)).squareRoot()
    }
    statistics.numbers = ColumnStatistics.Numbers(
      count: count, sum: first[6], mean: mean, median: Self.median(middles),
      standardDeviation: deviation)
    return statistics
  }

  /// The median, of the one or two numbers in the middle.
  private static func median(_ middles: [Value]) -> Value {
    if middles.count == 1 { return middles[0] }
    if middles.count == 2, case .integer(let lower) = middles[0],
      case .integer(let upper) = middles[1]
    {
      let sum = Int128(lower) + Int128(upper)
      return sum.isMultiple(of: 2) ? .integer(Int64(sum / 2)) : .real(Double(sum) / 2)
    }
    let numbers = middles.compactMap(\.number)
    return .real(numbers.reduce(0, +) / Double(max(1, numbers.count)))
  }
}

extension ColumnStatistics {
  /// A value near the mean to subtract from the values: an integer if all values are integers and no
  /// difference is too large for one.
  fileprivate func shift(near mean: Double) -> Value {
    guard case .integer(let least) = minimum, case .integer(let greatest) = maximum,
      !greatest.subtractingReportingOverflow(least).overflow
    else { return .real(mean) }
    return .integer(Int64(exactly: mean.rounded()).map { min(max(least, $0), greatest) } ?? least)
  }
}

extension HistogramQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> Histogram? {
    try session.asking(request) { builder, _ in
      guard let (scale, otherCount) = try scale(session, builder) else { return nil }
      var counts = [Int](repeating: 0, count: scale.count)
      for row in try session.rows(builder.histogram(of: path, in: request, scale)) {
        counts[scale.bin(row[0].wholeNumber)] += row[1].wholeNumber
      }
      return Histogram(
        minimum: scale.minimum, maximum: scale.maximum, width: scale.width, counts: counts,
        otherCount: otherCount)
    }
  }

  fileprivate func scale(
    _ session: some SQLSession, _ builder: QueryBuilder
  ) throws -> (HistogramScale, otherCount: Int)? {
    guard let range = try session.rows(builder.numericRange(of: path, in: request)).first,
      let minimum = range[0].number, let maximum = range[1].number
    else { return nil }
    let span = maximum - minimum
    guard span.isFinite else { return nil }
    let areWhole = range[2].wholeNumber == range[3].wholeNumber
    // Intervals of whole numbers have whole widths, so that each covers the same number of them.
    let width = areWhole ? max(1, ((span + 1) / Double(bins)).rounded(.up)) : span / Double(bins)
    let count = width > 0 ? min(bins, Int(span / width) + (areWhole ? 1 : 0)) : 1
    let scale = HistogramScale(
      minimum: minimum, maximum: maximum, width: width > 0 ? width : 1, count: max(1, count))
    return (scale, range[4].wholeNumber - range[3].wholeNumber)
  }
}

extension HistogramScaleQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> HistogramScale? {
    try session.asking(histogram.request) { builder, _ in
      try histogram.scale(session, builder)?.0
    }
  }
}

extension GroupedHistogramsQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> [Group] {
    try session.asking(request) { builder, _ in
      let rows = try session.rows(
        builder.groupedHistograms(of: path, in: request, groupBy: groupPath, scale))
      var groups: [Group] = []
      for row in rows {
        if groups.last?.group != row[0] {
          groups.append(.init(group: row[0], counts: [Int](repeating: 0, count: scale.count)))
        }
        groups[groups.count - 1].counts[scale.bin(row[1].wholeNumber)] += row[2].wholeNumber
      }
      return groups
    }
  }
}

extension HistogramScale {
  /// The interval for an index computed by SQL, which rounding may have put outside.
  fileprivate func bin(_ computed: Int) -> Int { min(max(0, computed), count - 1) }
}

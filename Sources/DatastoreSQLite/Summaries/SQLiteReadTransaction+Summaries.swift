import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Summaries of one property over the rows of a request, computed by SQLite.
extension SQLiteReadTransaction {
  func answer(_ question: FrequencyQuestion) throws -> FrequencyTable {
    try asking(question.request) { builder, _ in
      let statement = try RawStatement(
        builder.frequencies(of: question.path, in: question.request, limit: question.limit),
        in: database)
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

  func answer(_ question: StatisticsQuestion) throws -> ColumnStatistics {
    let (path, request) = (question.path, question.request)
    return try asking(request) { builder, _ in
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

  func answer(_ question: HistogramQuestion) throws -> Histogram? {
    try asking(question.request) { builder, _ in
      guard let (scale, otherCount) = try scale(of: question, builder) else { return nil }
      var counts = [Int](repeating: 0, count: scale.count)
      let statement = try RawStatement(
        builder.histogram(of: question.path, in: question.request, scale), in: database)
      while try statement.step() {
        counts[scale.bin(statement.count(at: 0))] += statement.count(at: 1)
      }
      return Histogram(
        minimum: scale.minimum, maximum: scale.maximum, width: scale.width, counts: counts,
        otherCount: otherCount)
    }
  }

  func answer(_ question: HistogramScaleQuestion) throws -> HistogramScale? {
    try asking(question.histogram.request) { builder, _ in
      try scale(of: question.histogram, builder)?.0
    }
  }

  func answer(_ question: GroupedHistogramsQuestion) throws -> [GroupedHistogramsQuestion.Group] {
    let scale = question.scale
    return try asking(question.request) { builder, _ in
      let statement = try RawStatement(
        builder.groupedHistograms(
          of: question.path, in: question.request, groupBy: question.groupPath, scale),
        in: database)
      var groups: [GroupedHistogramsQuestion.Group] = []
      while try statement.step() {
        let group = statement.value(at: 0)
        if groups.last?.group != group {
          groups.append(.init(group: group, counts: [Int](repeating: 0, count: scale.count)))
        }
        groups[groups.count - 1].counts[scale.bin(statement.count(at: 1))] += statement.count(at: 2)
      }
      return groups
    }
  }

  private func scale(
    of question: HistogramQuestion, _ builder: QueryBuilder
  ) throws -> (HistogramScale, otherCount: Int)? {
    let range = try RawStatement(
      builder.numericRange(of: question.path, in: question.request), in: database)
    guard try range.step(), let minimum = range.number(at: 0), let maximum = range.number(at: 1)
    else { return nil }
    let span = maximum - minimum
    guard span.isFinite else { return nil }
    let bins = question.bins
    let areWhole = range.count(at: 2) == range.count(at: 3)
    // Intervals of whole numbers are a whole number wide, so that each has as many of them.
    let width = areWhole ? max(1, ((span + 1) / Double(bins)).rounded(.up)) : span / Double(bins)
    let count = width > 0 ? min(bins, Int(span / width) + (areWhole ? 1 : 0)) : 1
    let scale = HistogramScale(
      minimum: minimum, maximum: maximum, width: width > 0 ? width : 1, count: max(1, count))
    return (scale, range.count(at: 4) - range.count(at: 3))
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

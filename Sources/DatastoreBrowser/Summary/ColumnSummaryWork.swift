import Basics
import DatastoreCore
import SwiftDatastore

/// Computes the summaries of a column.
@MainActor
struct ColumnSummaryWork {
  let column: TableColumn
  /// The unit of the column's numbers.
  let unit: String?
  /// The format of numbers computed from the column.
  let numberFormat: NumberFormat
  let rows: FetchRequest
  let runner: EffectRunner
  let progress: ReadProgress?

  /// The most values that are kept.
  private static let mostFrequencies = 100_000
  private static let bins = 20

  private var path: [String] { column.groupPath }
  private var format: ValueFormat { column.format ?? ValueFormat(type: .undefined) }
  /// Whether the numbers to compute with are those of days.
  private var isOfDays: Bool { runner.countsDays(of: column) }
  private var numbersPath: [String] { isOfDays ? column.daysPath : path }
  private var isOfDates: Bool { format.isDate || column.holdsDays }

  /// A computed number of the column as a derived table stores it; of days, the nearest one.
  private func computed(_ value: Value) -> Value {
    guard isOfDays else { return format.computed(value) }
    guard let number = value.number,
      let moment = DateConvention.own.moment(near: number.rounded() * 86_400)
    else { return .null }
    return .text(moment.day)
  }

  private func ask<Question: RequestQuestion>(_ question: Question) async throws -> Question.Answer
  {
    try await runner.view.answer(question, reporting: progress)
  }

  /// Each value and its number of rows.
  func frequencies() async throws -> DerivedRows {
    let table = try await ask(FrequencyQuestion(of: path, in: rows, limit: Self.mostFrequencies))
    let values = table.entries.map(\.value)
    let shown = try await runner.shown(values, of: column)
    return DerivedRows(
      columns: [.init(like: column, unit: unit)]
        + Self.counting(table.entries.map(\.count), table.rowCount),
      rows: zip(shown, table.entries).map { value, entry in
        [value] + Self.counted(entry.count, of: table.rowCount)
      }, lead: DerivedTableState.lead(to: values, at: path))
  }

  /// Each value, its number of rows and the measures of these rows, with the greatest first measure first.
  ///
  /// - Parameter measures: the measures and their columns.
  func frequencies(
    with measures: [(measure: Measure, column: DerivedRows.Column)]
  ) async throws -> DerivedRows {
    var groups = try await ask(
      AggregatesQuestion([.countRows] + measures.map(\.measure.term), of: rows, groupBy: [path]))
    let count = groups.reduce(0) { $0 + ($1[1].number.map { Int($0) } ?? 0) }
    groups.sort {
      ($0[2].decimalNumber.number ?? -.infinity, $0[1].number ?? 0)
        > ($1[2].decimalNumber.number ?? -.infinity, $1[1].number ?? 0)
    }
    groups = Array(groups.prefix(Self.mostFrequencies))
    let values = groups.map { $0[0] }
    let shown = try await runner.shown(values, of: column)
    let counts = groups.map { $0[1].number.map { Int($0) } ?? 0 }
    let counting = Self.counting(counts, count)
    return DerivedRows(
      columns: [.init(like: column, unit: unit), counting[0]] + measures.map(\.column)
        + [counting[1]],
      rows: groups.indices.map { row in
        let counted = Self.counted(counts[row], of: count)
        let computed = zip(measures, groups[row].dropFirst(2)).map { $0.measure.kept($1) }
        return [shown[row], counted[0]] + computed + [counted[1]]
      }, lead: DerivedTableState.lead(to: values, at: path))
  }

  /// Intervals of equal width and the number of rows in each.
  func histogram() async throws -> DerivedRows {
    guard let entity = runner.schema.entity(named: rows.entity),
      let histogram = try await ask(HistogramQuestion(of: numbersPath, in: rows, bins: Self.bins))
    else {
      let isText = !isOfDays && (column.holdsDays || format.dates?.isText ?? false)
      let what = isText ? "dates as text, which cannot" : "no numbers or dates that could"
      throw EffectFailure(
        message: "\(column.name) holds \(what) be spread over intervals; t counts its values.")
    }
    let operand = Predicate.Operand(at: path, of: entity, in: runner.schema)
    func compare(_ comparator: Predicate.Comparator, _ value: Value) -> Predicate {
      .comparison(Predicate.Comparison(operand, comparator, .value(value)))
    }
    func bound(_ number: Double) -> Value { isOfDays ? computed(.real(number)) : .real(number) }
    let bounds = histogram.counts.indices.map { histogram.bounds(of: $0) }
    let total = histogram.counts.reduce(0, +)
    let ends = ["from", "below"].map { name in
      isOfDates ? DerivedRows.Column.text(name) : .number(name, unit: unit)
    }
    var lines = zip(bounds, histogram.counts).map { bounds, count in
      [computed(.real(bounds.lower)), computed(.real(bounds.upper))]
        + Self.counted(count, of: total)
    }
    var conditions = bounds.indices.map { row -> Predicate in
      let isLast = row == bounds.count - 1
      return .and([
        compare(.greaterThanOrEqual, bound(bounds[row].lower)),
        compare(isLast ? .lessThanOrEqual : .lessThan, bound(bounds[row].upper)),
      ])
    }
    if histogram.otherCount > 0 {
      let isNull = compare(.equal, .null)
      var request = rows
      request.predicate = rows.predicate.map { .and([$0, isNull]) } ?? isNull
      let nulls = try await runner.view.answer(CountQuestion(request))
      // All other values are greater than numbers; what is no day has no number.
      let isOther =
        isOfDays
        ? Predicate.and([
          compare(.notEqual, .null),
          .isOneOf([.null], at: numbersPath, of: entity, in: runner.schema),
        ]) : compare(.greaterThan, .real(histogram.maximum))
      let others: [(name: Value, count: Int, condition: Predicate)] = [
        (.text(isOfDates ? "no date" : "no number"), histogram.otherCount - nulls, isOther),
        (.null, nulls, isNull),
      ]
      for other in others where other.count > 0 {
        lines.append([other.name, .null, .integer(Int64(other.count)), .null])
        conditions.append(other.condition)
      }
    }
    return DerivedRows(
      columns: ends + Self.counting(histogram.counts, total), rows: lines
    ) { [conditions] rows, _ in
      let parts = rows.map { conditions[$0] }
      return { $0.narrow(to: [parts.count == 1 ? parts[0] : .or(parts)]) }
    }
  }

  /// Groups of rows with the sum and the mean of the column; for dates, with the first and the last date.
  func chart(by groupPath: [String], _ groupFormat: GroupFormat?) async throws -> DerivedRows {
    let aggregates: [Predicate.Aggregate] = [.average, .minimum, .maximum, .sum]
    let terms: [AggregateTerm] = [.countRows] + aggregates.map { .aggregate($0, path) }
    let groups = Self.withGaps(
      try await ask(AggregatesQuestion(terms, of: rows, groupBy: [groupPath])), groupPath)
    let numbers = groups.map { line in line.dropFirst(2).map(\.number) }
    // A sum of dates has no meaning, so the bar shows the number of rows.
    let isDate = isOfDates
    guard groups.contains(where: { isDate ? !$0[3].isNull : $0[2].number != nil }) else {
      throw EffectFailure(
        message: "\(column.name) holds no numbers or dates to add up; go to a column that does.")
    }
    let values = groups.map { $0[0] }
    let names = try await runner.shown(values, at: groupPath, groupFormat)
    let lengths = zip(groups, numbers).map { group, numbers in
      abs((isDate ? group[1].number : numbers[3]) ?? 0)
    }
    let most = max(lengths.max() ?? 0, .leastNonzeroMagnitude)
    let shown = isDate ? ["first", "last"] : ["mean", "least", "greatest", "sum"]
    return DerivedRows(
      columns: [DerivedRows.Column(name: GroupTitle(groupPath).description), .rowCount]
        + shown.map { isDate ? .text($0) : .number($0, unit: unit, as: numberFormat) }
        + [DerivedRows.Column(name: "bar", declaredType: "REAL", picture: .bar)],
      rows: groups.indices.map { row in
        let computed = zip(aggregates, groups[row].dropFirst(2)).map { format.kept($1, of: $0) }
        return [names[row], groups[row][1]] + (isDate ? computed[1...2] : computed[...])
          + [.real(lengths[row] / most)]
      }, lead: DerivedTableState.lead(to: values, at: groupPath))
  }

  /// The groups, with groups without rows inserted where dates follow each other with gaps.
  private static func withGaps(_ groups: [[Value]], _ path: [String]) -> [[Value]] {
    guard let part = path.last.flatMap(DatePart.init(step:)) else { return groups }
    let dated = groups.filter { !$0[0].isNull }
    guard let first = dated.first?[0], let last = dated.last?[0] else { return groups }
    let values = part.values(from: first, through: last)
    guard values.count > dated.count else { return groups }
    let found = Dictionary(dated.map { ($0[0], $0) }, uniquingKeysWith: { first, _ in first })
    let none = [Value](repeating: .null, count: groups[0].count - 2)
    return groups.filter { $0[0].isNull }
      + values.map { found[$0] ?? [$0, .integer(0)] + none }
  }

  /// The statistics of the values in a few lines.
  func statistics() async throws -> DerivedRows {
    let statistics = try await ask(StatisticsQuestion(of: path, in: rows))
    var lines: [(String, Value)] = [
      ("rows", .integer(Int64(statistics.rowCount))),
      ("NULL", .integer(Int64(statistics.nullCount))),
      ("different values", .integer(Int64(statistics.distinctCount))),
    ]
    if !statistics.minimum.isNull, column.destination == nil {
      lines.append(("least", format.kept(statistics.minimum)))
      lines.append(("greatest", format.kept(statistics.maximum)))
    }
    let numbers =
      isOfDays
      ? try await runner.view.answer(StatisticsQuestion(of: numbersPath, in: rows)).numbers
      : statistics.numbers
    if let numbers, column.destination == nil, !column.isIdentifier {
      let mean = Value.real(numbers.mean)
      lines.append(("mean", isOfDays ? computed(mean) : format.kept(mean, of: .average)))
      lines.append(("median", computed(numbers.median)))
      if let deviation = numbers.standardDeviation {
        // A difference is a number, even between dates.
        lines.append(
          ("standard deviation\(deviationUnit)", .real(ValueFormat.rounded(mean: deviation))))
      }
      if !isOfDates { lines.append(("sum", format.computed(numbers.sum))) }
    }
    if let lengths = statistics.textLengths {
      lines.append(("characters of the shortest text", .integer(Int64(lengths.lowerBound))))
      lines.append(("characters of the longest text", .integer(Int64(lengths.upperBound))))
      lines.append(("empty texts", .integer(Int64(statistics.emptyTextCount))))
    }
    let values: [String: Value] = [
      "NULL": .null, "least": statistics.minimum, "greatest": statistics.maximum,
      "empty texts": .text(""),
    ]
    let facts = lines.map(\.0)
    return DerivedRows(
      columns: [.text("statistic"), .number("value", unit: isOfDates ? nil : unit)],
      rows: lines.map { [.text($0.0), $0.1] }
    ) { [path] rows, _ in
      let wanted = rows.compactMap { values[facts[$0]] }
      guard !wanted.isEmpty else { return nil }
      return { $0.narrow(to: [(values: wanted, path: path)]) }
    }
  }

  /// The unit of differences between dates.
  private var deviationUnit: String {
    if isOfDays { return " in days" }
    guard format.isDate else { return "" }
    guard let dates = format.dates else { return " in seconds" }
    switch dates {
    case .unixSeconds, .appleSeconds, .own: return " in seconds"
    case .julianDay: return " in days"
    default: return " as stored"
    }
  }

  private static func counting(_ counts: [Int], _ rows: Int) -> [DerivedRows.Column] {
    [.rowCount, .share(most: Double(counts.max() ?? 0) / Double(max(1, rows)))]
  }

  private static func counted(_ count: Int, of rows: Int) -> [Value] {
    [.integer(Int64(count)), .real(Double(count) / Double(max(1, rows)))]
  }
}

extension EffectRunner {
  /// Whether summaries compute with the days of a column as with numbers; servers do not count days.
  func countsDays(of column: TableColumn) -> Bool { column.holdsDays && !datastore.isInServer }
}

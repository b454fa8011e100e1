import Basics
import DatastoreCore

/// The ways to look at a column of the rows that the table shows, each a derived table.
enum ColumnSummary: Hashable, Sendable {
  /// Each value and how often it occurs, with the totals of its rows that the table shows of other columns.
  case frequencies
  /// Counts, extremes, mean and the like.
  case statistics
  /// How numbers and dates are spread.
  case histogram
  /// Sums and means of the column by groups of rows.
  case chart(groupPath: [String], GroupFormat?)

  /// What the table of a column is called, of the rows that are saved.
  func title(of column: String) -> String {
    switch self {
    case .frequencies: "values of \(column)"
    case .statistics: "statistics of \(column)"
    case .histogram: "distribution of \(column)"
    case .chart(let path, _): "\(column) by \(GroupTitle(path))"
    }
  }

  /// What its only entity is called.
  var entity: String {
    switch self {
    case .frequencies: "values"
    case .statistics: "statistics"
    case .histogram: "distribution"
    case .chart: "groups"
    }
  }
}

extension BrowserState {
  /// Opens a summary of the column under the cursor.
  mutating func summarize(_ summary: ColumnSummary) {
    guard let table, let column = table.currentColumn?.measured else { return }
    let units = units[table.query.entity]
    let unit = column.slot.flatMap { units[$0] }
    let numbers = table.computedNumbers(of: column)
    let measures = table.measures.filter { $0.column != column }
      .map { (measure: $0, column: $0.derivedColumn(units, table.computedNumbers)) }
    openDerivedRows(summary.title(of: column.name), entity: summary.entity) {
      runner, rows, progress in
      let work = ColumnSummaryWork(
        column: column, unit: unit, numberFormat: numbers, rows: rows, runner: runner,
        progress: progress)
      switch summary {
      case .frequencies:
        return measures.isEmpty
          ? try await work.frequencies() : try await work.frequencies(with: measures)
      case .statistics: return try await work.statistics()
      case .histogram: return try await work.histogram()
      case .chart(let path, let format): return try await work.chart(by: path, format)
      }
    }
  }

  /// Shows the numbers of a column by the sections of the table; without sections asks what makes the groups.
  mutating func beginChart() {
    guard let table, let column = table.currentColumn else { return }
    if let path = table.query.groupBy { return chart(by: path) }
    open(ChartGroupPicker(column, in: self))
  }

  mutating func chart(by path: [String]) {
    guard let table else { return }
    summarize(.chart(groupPath: path, groupFormat(of: path, table.query.entity)))
  }
}

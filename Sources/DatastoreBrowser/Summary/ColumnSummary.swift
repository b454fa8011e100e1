import Basics
import DatastoreCore

/// The summaries of a column, each a derived table of the shown rows.
enum ColumnSummary: Hashable, Sendable {
  /// Each value and its number of rows, with the totals that the table shows of other columns.
  case frequencies
  /// Counts, extremes, mean and similar statistics.
  case statistics
  /// The distribution of numbers and dates.
  case histogram
  /// Sums and means of the column for groups of rows.
  case chart(groupPath: [String], GroupFormat?)

  /// The title of a column's summary, which is of saved rows.
  func title(of column: String) -> String {
    switch self {
    case .frequencies: "values of \(column)"
    case .statistics: "statistics of \(column)"
    case .histogram: "distribution of \(column)"
    case .chart(let path, _): "\(column) by \(GroupTitle(path))"
    }
  }

  /// The title of the tab.
  var tab: String {
    switch self {
    case .frequencies: "Counts"
    case .statistics: "Statistics"
    case .histogram: "Histogram"
    case .chart: "Sums"
    }
  }

  /// The name of the derived table's only entity.
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
    openDerivedRows(
      summary.title(of: column.name), entity: summary.entity,
      tabs: summaryTabs(of: column, at: summary)
    ) { runner, rows, progress in
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

  /// The summaries that a column has, as tabs.
  private func summaryTabs(
    of column: TableColumn, at summary: ColumnSummary
  ) -> DerivedTableState.Tabs {
    typealias Tab = DerivedTableState.Tabs.Tab
    func tab(_ summary: ColumnSummary) -> Tab {
      Tab(summary.tab) { $0.summarize(summary) }
    }
    var all = [tab(.frequencies), tab(.statistics)]
    if !column.aggregates.isEmpty || summary == .histogram { all.append(tab(.histogram)) }
    if DisabledReason.noMeasure.reason(self) == nil { all.append(Tab("Sums") { $0.beginChart() }) }
    return DerivedTableState.Tabs(
      all: all, current: all.firstIndex { $0.title == summary.tab } ?? 0)
  }

  /// Shows the sums of a column by the groups of the table; asks for the groups if the table has none.
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

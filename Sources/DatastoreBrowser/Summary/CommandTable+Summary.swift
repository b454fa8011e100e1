import TerminalUI

extension CommandTable {
  /// Looking at a column as a whole. In an open summary the same keys look in another way.
  static let summaryCommands: [Command] = [
    summary(
      "frequencies", titled: "Count values",
      synonyms: ["distinct", "occurrences", "unique", "often"], .frequencies, "t",
      label: "frequencies",
      help: "Count how often each value of this column occurs."),
    summary(
      "statistics",
      synonyms: ["average", "mean", "median", "deviation", "minimum", "maximum", "summary"],
      .statistics, "i", label: "statistics",
      help: "Show counts, least, greatest, mean, median and deviation of this column."),
    summary(
      "histogram", synonyms: ["distribution", "bins"], .histogram, "I", label: "histogram",
      help: "Show the distribution of this column's numbers or dates."),
    summary(
      "chart", synonyms: ["plot", "graph", "bars", "diagram"], .chart, "b", label: "chart",
      help: "Show sums and means of this column by the table's sections, or by another column."),
    picking(
      "summary-filter", label: "show rows", "Show the rows of this line.",
      in: [.summary], unless: .noSummaryLine),
    Command(
      "summary-order", keys: ["s"], label: "order",
      help: "Sort by number or by value.", in: [.summary],
      hintRank: 2
    ) { state in
      state.changeOverlay(as: SummaryState.self) { $0.toggleOrder() }
    },
    Command(
      "export-summary", keys: ["E"], label: "export",
      help: "Write the lines of this summary to a file: CSV, TSV, JSON, JSON lines or Markdown.",
      in: [.summary], hintRank: 4, unless: .noSummary
    ) { $0.exportSummary() },
    Command(
      "close-summary", keys: ["esc", "q", "ctrl-c"], label: "close", help: "Close the summary.",
      in: [.summary], hintRank: 3
    ) { $0.closeSummary() },
  ]

  /// What can be done in the list of columns that may make the groups of a chart.
  static let chartGroupCommands: [Command] =
    [
      picking(
        "choose-chart-groups", label: "show the chart",
        "Show the chart by the values of this column.", in: [.chartGroups]),
      closing(
        "close-chart-groups", "Show no chart.", in: [.chartGroups], label: "cancel", hintRank: 2),
    ] + moving("chart-group", "in the list of columns to group by", in: [.chartGroups])

  private static func summary(
    _ name: String, titled title: String? = nil, synonyms: [String], _ kind: SummaryRequest.Kind,
    _ key: KeySequence, label: String, help: String
  ) -> Command {
    Command(
      name, titled: title, synonyms: synonyms, keys: [key], label: label, help: help,
      in: [.table, .summary], hintRank: 30,
      unless: kind == .chart ? .noMeasure : .noColumn
    ) { kind == .chart ? $0.beginChart() : $0.summarize(kind) }
  }
}

extension DisabledReason {
  /// There is no column, or one whose sums and means say nothing.
  static let noMeasure = DisabledReason { state in
    if let reason = noColumn.reason(state) { return reason }
    let column = state.overlay(as: SummaryState.self)?.request.column ?? state.table?.currentColumn
    guard let column, column.isIdentifier, column.holdsNumbers else { return nil }
    return "\(column.name) tells objects apart; its numbers are neither added nor averaged."
  }

  static let noSummaryLine = DisabledReason {
    let summary = $0.overlay(as: SummaryState.self)
    return summary?.selectedValue == nil && summary?.selectedInterval == nil
      ? "This line has no rows to show." : nil
  }
}

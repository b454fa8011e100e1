import TerminalUI

extension CommandTable {
  /// The commands that summarize columns in derived tables.
  static let summaryCommands: [Command] = [
    summary(
      "frequencies", titled: "Count values",
      synonyms: ["frequency", "distinct", "occurrences", "unique", "often", "duplicates"],
      .frequencies, "t",
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
    Command(
      "chart", synonyms: ["plot", "graph", "bars", "diagram"], keys: ["b"], label: "chart",
      help: "Show sums and means of this column by the table's sections, or by another column.",
      in: [.table], hintRank: 30, unless: .noMeasure
    ) { $0.beginChart() },
    Command(
      "overview", titled: "Overview of columns",
      synonyms: ["describe", "profile", "summary", "missing"],
      keys: ["O"], label: "overview",
      help:
        "Show all columns at once: missing and different values, least, greatest, most frequent, "
        + "distribution. Enter there shows the rows of a value.", in: [.table], hintRank: 31,
      unless: .noColumn
    ) { $0.openOverview() },
  ]

  private static func summary(
    _ name: String, titled title: String? = nil, synonyms: [String], _ summary: ColumnSummary,
    _ key: KeySequence, label: String, help: String
  ) -> Command {
    Command(
      name, titled: title, synonyms: synonyms, keys: [key], label: label, help: help,
      in: [.table], hintRank: 30, unless: .noColumn
    ) { $0.summarize(summary) }
  }
}

extension DisabledReason {
  /// There is no column, or the column has no meaningful sums and means.
  static let noMeasure = DisabledReason { state in
    if let reason = noColumn.reason(state) { return reason }
    guard let column = state.table?.currentColumn?.measured else { return nil }
    if column.isIdentifier, column.holdsNumbers {
      return "\(column.name) identifies objects; its numbers are neither added nor averaged."
    }
    return column.aggregates.isEmpty
      ? "\(column.name) holds no numbers or dates. Go to a column that does." : nil
  }
}

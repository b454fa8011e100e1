import TerminalUI

extension CommandTable {
  static let pivotCommands: [Command] = [
    Command(
      "pivot", titled: "Pivot table", synonyms: ["crosstab", "matrix"], keys: ["gp"],
      label: "pivot",
      help:
        "Show a table of two groupings: a row for each section (or a column that is asked for), a "
        + "column for each group of another kind, and counts, sums, means, least or greatest values.",
      in: [.table], unless: .noColumn
    ) { $0.beginPivot() }
  ]
}

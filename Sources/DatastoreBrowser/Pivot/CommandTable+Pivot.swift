import TerminalUI

extension CommandTable {
  /// Two groupings and what is computed for each pair of groups.
  static let pivotCommands: [Command] =
    [
      Command(
        "pivot", titled: "Pivot table", synonyms: ["crosstab", "matrix"], keys: ["gp"],
        label: "pivot",
        help:
          "Show a table of two groupings: a row for each section (or a column that is asked for), a "
          + "column for each group of another kind, and counts, sums, means, least or greatest values.",
        in: [.table], unless: .noColumn
      ) { $0.beginPivot() },
      picking(
        "pivot-filter", label: "show rows", "Show the rows of this cell in the table.",
        in: [.pivot],
        unless: .noPivot),
      column(
        "pivot-left", ["left", "h"], -1, "Go one column of the pivot to the left.", hintRank: 6),
      column("pivot-right", ["right", "l"], 1, "Go one column of the pivot to the right."),
      column("pivot-first", ["0", "^"], -100_000, "Go to the first column of the pivot."),
      column("pivot-last", ["$"], 100_000, "Go to the totals of the rows."),
      changing(
        "sort-pivot-rows", "s", label: "sort rows",
        help: "Sort the rows by this column: greatest first, least first, by their groups.", rank: 2
      ) { $0.sortRows() },
      changing(
        "sort-pivot-columns", "S", label: "sort columns",
        help: "Sort the columns by this row: greatest first, least first, by their groups.", rank: 3
      ) { $0.sortColumns() },
      Command(
        "pivot-values", keys: ["a"], label: "values",
        help: "Show something else in the cells: counts, sums, means, least or greatest values.",
        in: [.pivot], hintRank: 4
      ) { $0.changePivotMeasure() },
      Command(
        "turn-pivot", keys: ["t"], label: "turn", help: "Make rows columns, and columns rows.",
        in: [.pivot], hintRank: 5
      ) { $0.turnPivot() },
      Command(
        "close-pivot", keys: ["esc", "q", "ctrl-c"], label: "close", help: "Close the pivot.",
        in: [.pivot], hintRank: 7
      ) { $0.closePivot() },
      picking(
        "choose-pivot-part", label: "choose", "Make the pivot of this.", in: [.pivotParts]),
      closing(
        "close-pivot-parts", "Show no pivot.", in: [.pivotParts], label: "cancel", hintRank: 2),
    ] + moving("pivot-part", "in the list of what a pivot is made of", in: [.pivotParts])

  private static func column(
    _ name: String, _ keys: [KeySequence], _ step: Int, _ help: String, hintRank: Int? = nil
  ) -> Command {
    Command(
      name, keys: keys, label: "column", help: help, in: [.pivot], hintRank: hintRank,
      hintKeys: hintRank == nil ? nil : "←→"
    ) { state in
      state.changeOverlay(as: PivotScreen.self) { $0.moveColumn(by: step) }
    }
  }

  private static func changing(
    _ name: String, _ key: KeySequence, label: String, help: String, rank: Int,
    _ change: @escaping @Sendable (inout PivotScreen) -> Void
  ) -> Command {
    Command(
      name, keys: [key], label: label, help: help, in: [.pivot], hintRank: rank, unless: .noPivot
    ) { state in
      state.changeOverlay(as: PivotScreen.self) { change(&$0) }
    }
  }
}

extension DisabledReason {
  static let noPivot = DisabledReason { state in
    state.overlay(as: PivotScreen.self)?.reasonNotToExport
  }
}

import TerminalUI

extension CommandTable {
  /// Looking at all columns at once.
  static let overviewCommands: [Command] = [
    Command(
      "overview", titled: "Overview of columns", synonyms: ["profile", "summary", "missing"],
      keys: ["O"], label: "overview",
      help:
        "Show all columns at once: missing and different values, least, greatest, most frequent, "
        + "distribution.", in: [.table], hintRank: 31, unless: .noColumn
    ) { $0.openOverview() },
    picking(
      "overview-filter", label: "show rows",
      "Show the rows of the marked fact; all values, or the distribution of the column.",
      in: [.overview]),
    fact("overview-left", ["left", "h"], -1, "Go to the fact on the left."),
    fact("overview-right", ["right", "l"], 1, "Go to the fact on the right.", hintRank: 3),
    Command(
      "close-overview", keys: ["esc", "q", "O", "ctrl-c"], label: "close",
      help: "Close the overview.", in: [.overview], hintRank: 2
    ) { $0.closeOverview() },
  ]

  private static func fact(
    _ name: String, _ keys: [KeySequence], _ step: Int, _ help: String, hintRank: Int? = nil
  ) -> Command {
    Command(
      name, keys: keys, label: "fact", help: help, in: [.overview], hintRank: hintRank,
      hintKeys: hintRank == nil ? nil : "←→"
    ) { state in
      state.changeOverlay(as: OverviewScreen.self) { $0.moveFact(by: step) }
    }
  }
}

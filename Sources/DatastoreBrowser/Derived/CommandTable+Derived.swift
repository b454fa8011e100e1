import TerminalUI

extension CommandTable {
  /// Columns that are computed.
  static let derivedColumnCommands: [Command] = [
    Command(
      "derive", titled: "Compute column",
      synonyms: ["derived", "expression", "formula", "calculated", "add"], keys: ["g="],
      label: "new column",
      help:
        "Show a column that is computed of each row, such as company.name, salary * 12 AS yearly, "
        + "tasks.@count or days(hired, now()); “:derive EXPRESSION” does it at once.",
      in: [.table], unless: .noColumn,
      taking: Command.Argument("EXPRESSION") { $0.deriveColumn($1) }
    ) { $0.openDerivedColumn() },
    Command(
      "change-derived", titled: "Change computed column",
      synonyms: ["derived", "expression", "formula"], keys: ["ge"], label: "change column",
      help: "Change the expression or the name of this computed column.",
      in: [.table], unless: .notDerived
    ) { $0.changeDerivedColumn() },
    Command(
      "remove-derived", titled: "Remove computed column", synonyms: ["derived", "delete"],
      keys: ["gx"], label: "remove column", help: "Remove this computed column.",
      in: [.table], unless: .notDerived
    ) { $0.removeDerivedColumn() },
  ]

  /// What can be done in the line for a computed column.
  static let derivedColumnLineCommands: [Command] =
    [
      Command(
        "accept-derived", keys: ["enter"], label: "show the column",
        help: "Insert the marked completion; with none marked, show the column.",
        in: [.derivedColumn], hintRank: 1
      ) { $0.acceptDerivedColumn() },
      Command(
        "complete-derived", keys: ["tab"], label: "complete",
        help: "Insert the marked completion, or the first one, into the expression.",
        in: [.derivedColumn], hintRank: 2
      ) { state in
        state.changeOverlay(as: DerivedColumnPrompt.self) {
          _ = $0.acceptCompletion(onlyMarked: false)
        }
      },
      closing(
        "cancel-derived", "Change no column.", in: [.derivedColumn], label: "cancel", hintRank: 3),
    ] + moving("derived", "in the list of completions", in: [.derivedColumn])
}

extension DisabledReason {
  static let notDerived = DisabledReason { state in
    guard let column = state.table?.currentColumn else { return "There is no column here." }
    return column.operand == nil
      ? "This column is one of the file's; g= makes one that is computed." : nil
  }
}

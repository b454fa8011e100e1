import TerminalUI

extension CommandTable {
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
      "change-derived", titled: "Change computed",
      synonyms: ["derived", "expression", "formula"], keys: ["ge"], label: "change column",
      help: "Change the expression or the name of this computed column.",
      in: [.table], unless: .notDerived
    ) { $0.changeDerivedColumn() },
    Command(
      "remove-derived", titled: "Remove computed", synonyms: ["derived", "delete"],
      keys: ["gx"], label: "remove column", help: "Remove this computed column.",
      in: [.table], unless: .notDerived
    ) { $0.removeDerivedColumn() },
  ]
}

extension DisabledReason {
  static let notDerived = DisabledReason { state in
    guard let column = state.table?.currentColumn else { return "There is no column here." }
    return column.operand == nil
      ? "This column is one of the file's; g= makes one that is computed." : nil
  }
}

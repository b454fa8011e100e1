import TerminalUI

extension CommandTable {
  /// What can be done in the list of columns.
  static let columnScreenCommands: [Command] = [
    Command(
      "move-listed-column-up", keys: ["shift-up", "K"], label: "up",
      help: "Move this column up, which is to the left in the table.", in: [.columns], hintRank: 3
    ) { $0.moveListedColumn(by: -1) },
    Command(
      "move-listed-column-down", keys: ["shift-down", "J"], label: "down",
      help: "Move this column down, which is to the right in the table.", in: [.columns],
      hintRank: 4
    ) { $0.moveListedColumn(by: 1) },
    Command(
      "show-all-columns", keys: ["a"], label: "all", help: "Show all columns.", in: [.columns],
      hintRank: 9
    ) { state in
      state.arrange { settings, table in
        for column in table.columns { settings.shown[column.name] = true }
      }
    },
    Command(
      "reset-columns", keys: ["R"], label: "reset",
      help: "Reset all column settings of this table.", in: [.columns],
      hintRank: 10
    ) { state in
      state.arrange { settings, _ in settings = ColumnSettings() }
    },
  ]
}

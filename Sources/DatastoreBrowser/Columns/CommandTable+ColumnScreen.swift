import TerminalUI

extension CommandTable {
  /// What can be done in the list of columns.
  static let columnScreenCommands: [Command] = [
    listed("toggle-listed-column", ["space", "x"], "show", "Show or hide this column.", rank: 1) {
      $0.toggleShown($1)
    },
    Command(
      "move-listed-column-up", keys: ["shift-up", "K"], label: "up",
      help: "Move this column up, which is to the left in the table.", in: [.columns], hintRank: 3
    ) { $0.moveListedColumn(by: -1) },
    Command(
      "move-listed-column-down", keys: ["shift-down", "J"], label: "down",
      help: "Move this column down, which is to the right in the table.", in: [.columns],
      hintRank: 4
    ) { $0.moveListedColumn(by: 1) },
    listed("narrower-listed-column", ["{"], "narrower", "Make the listed column narrower.", rank: 5)
    {
      $0.resizeColumn($1, by: -2)
    },
    listed("wider-listed-column", ["}"], "wider", "Make the listed column wider.", rank: 6) {
      $0.resizeColumn($1, by: 2)
    },
    listed(
      "freeze-listed-column", ["!"], "freeze",
      "Keep the columns up to the listed one in view; again to let them scroll.", rank: 8
    ) { $0.freezeColumn($1) },
    listed("fit-listed-column", ["_"], "fit", "Let the table choose the width.", rank: 7) {
      $0.setWidth(nil, column: $1)
    },
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
    closing(
      "close-columns", keys: ["esc", "enter", "q", "+", "C"], "Close the list of columns.",
      in: [.columns], hintRank: 2),
  ]

  private static func listed(
    _ name: String, _ keys: [KeySequence], _ label: String, _ help: String, rank: Int,
    _ change: @escaping @Sendable (inout BrowserState, Int) -> Void
  ) -> Command {
    Command(name, keys: keys, label: label, help: help, in: [.columns], hintRank: rank) { state in
      guard let column = state.overlay(as: ColumnsScreen.self)?.column(in: state) else {
        return
      }
      change(&state, column)
    }
  }
}

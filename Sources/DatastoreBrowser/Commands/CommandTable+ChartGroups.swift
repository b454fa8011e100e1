import TerminalUI

extension CommandTable {
  /// What can be done in the list of columns that may make the groups of a chart.
  static let chartGroupCommands: [Command] = [
    Command(
      "choose-chart-groups", keys: ["enter"], label: "show the chart",
      help: "Show the chart by the values of this column.", in: [.chartGroups], hintRank: 1
    ) { $0.pick() },
    Command(
      "close-chart-groups", keys: ["esc", "ctrl-c"], label: "cancel", help: "Show no chart.",
      in: [.chartGroups], hintRank: 2
    ) { state in
      state.closeOverlay()
      return []
    },
    chartGroupMovement("chart-group-down", .lineDown, "down", "Go to the next column of the list."),
    chartGroupMovement("chart-group-up", .lineUp, "up", "Go to the column of the list before."),
    chartGroupMovement(
      "chart-group-page-down", .pageDown, "pgdn", "Go one screen of columns down."),
    chartGroupMovement("chart-group-page-up", .pageUp, "pgup", "Go one screen of columns up."),
  ]

  private static func chartGroupMovement(
    _ name: String, _ movement: Movement, _ key: Key, _ help: String
  ) -> Command {
    Command(name, keys: [key], label: name, help: help, in: [.chartGroups]) { $0.move(movement) }
  }
}

import TerminalUI

extension CommandTable {
  /// Choosing the look.
  static let themeCommands: [Command] = [
    Command(
      "themes", titled: "Color themes", synonyms: ["colours", "scheme", "dark", "light", "style"],
      keys: ["T"], label: "themes",
      help:
        "Choose a theme, also for the next time where neither --theme nor the configuration names one.",
      in: CommandScope.panels
    ) { $0.openThemes() },
    picking("keep-theme", label: "keep", "Keep the theme under the cursor.", in: [.themes]),
    Command(
      "leave-themes", keys: ["esc", "q", "T", "ctrl-c"], label: "back",
      help: "Close the list and restore the previous theme.", in: [.themes], hintRank: 2
    ) { $0.leaveThemes() },
  ]
}

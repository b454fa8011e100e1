import TerminalUI

extension CommandTable {
  static let themeCommands: [Command] = [
    Command(
      "themes", titled: "Color themes",
      synonyms: [
        "colors", "colours", "scheme", "dark", "light", "style", "settings", "preferences",
        "options", "configuration",
      ],
      keys: ["T"], label: "themes",
      help:
        "Choose a theme, also for the next time where neither --theme nor the configuration names one."
    ) { $0.openThemes() }
  ]
}

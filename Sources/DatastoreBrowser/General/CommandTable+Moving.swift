import TerminalUI

extension CommandTable {
  /// The commands that move the cursor, the same in every panel and in the help.
  static let movementCommands: [Command] = [
    movement(
      "down", titled: "Line down", synonyms: ["next"], .lineDown, ["down", "j"],
      "Go one line down; beside a line in which text is typed, ctrl-n and ctrl-p go down and up, too.",
      hintRank: 60, hintKeys: "↑↓", label: "move"),
    movement(
      "up", titled: "Line up", synonyms: ["previous"], .lineUp, ["up", "k"], "Go one line up."),
    movement("page-down", .pageDown, ["pgdn", "ctrl-f"], "Go one screen down."),
    movement("page-up", .pageUp, ["pgup", "ctrl-b"], "Go one screen up."),
    movement("half-page-down", .halfPageDown, ["ctrl-d"], "Go half a screen down."),
    movement("half-page-up", .halfPageUp, ["ctrl-u"], "Go half a screen up."),
    movement(
      "first", titled: "First line", synonyms: ["top", "beginning"], .first, ["home", "<", "gg"],
      "Go to the first line."),
    movement(
      "last", titled: "Last line", synonyms: ["bottom", "end"], .last, ["end", ">", "G"],
      "Go to the last line."),
    withinScreen("screen-top", .top, "H", "Go to the first line on the screen."),
    withinScreen("screen-middle", .middle, "M", "Go to the line in the middle of the screen."),
    withinScreen("screen-bottom", .bottom, "L", "Go to the last line on the screen."),
  ]

  private static func withinScreen(
    _ name: String, _ place: ScreenPlace, _ key: KeySequence, _ help: String
  ) -> Command {
    Command(name, keys: [key], label: name, help: help) { state in
      state.move(to: place)
    }
  }

  private static func movement(
    _ name: String, titled title: String? = nil, synonyms: [String] = [], _ movement: Movement,
    _ keys: [KeySequence], _ help: String,
    hintRank: Int? = nil,
    hintKeys: String? = nil, label: String? = nil
  ) -> Command {
    Command(
      name, titled: title, synonyms: synonyms, keys: keys, label: label ?? name, help: help, in: [],
      wherever: ["down", "up", "page-down", "page-up"].contains(name)
        ? [.scrolls, .moves] : [.scrolls],
      hintRank: hintRank, hintKeys: hintKeys
    ) { $0.move(movement) }
  }
}

import TerminalUI

extension CommandTable {
  /// Moving the cursor, the same in every panel and in the help.
  static let movementCommands: [Command] = [
    movement(
      "down", .lineDown, ["down", "j"], "Go one line down.", hintRank: 60, hintKeys: "↑↓",
      label: "move"),
    movement("up", .lineUp, ["up", "k"], "Go one line up."),
    movement("page-down", .pageDown, ["pgdn", "ctrl-f"], "Go one screen down."),
    movement("page-up", .pageUp, ["pgup", "ctrl-b"], "Go one screen up."),
    movement("half-page-down", .halfPageDown, ["ctrl-d"], "Go half a screen down."),
    movement("half-page-up", .halfPageUp, ["ctrl-u"], "Go half a screen up."),
    movement("first", .first, ["home", "<"], "Go to the first line."),
    movement("last", .last, ["end", ">", "G"], "Go to the last line."),
  ]

  private static func movement(
    _ name: String, _ movement: Movement, _ keys: [Key], _ help: String, hintRank: Int? = nil,
    hintKeys: String? = nil, label: String? = nil
  ) -> Command {
    Command(
      name, keys: keys, label: label ?? name, help: help, in: [.scrolling],
      hintRank: hintRank, hintKeys: hintKeys
    ) { $0.move(movement) }
  }
}

import TerminalUI

extension CommandTable {
  /// Looking at what has changed since the file was opened.
  static let changesCommands: [Command] = [
    Command(
      "changes", titled: "What has changed", synonyms: ["diff", "history", "external"],
      keys: ["gC"], label: "changes",
      help:
        "List what has changed since the file was opened, by other programs and by saves, with old and new "
        + "values; the list follows what is written.", in: CommandScope.panels
    ) { $0.open(ChangesScreen()) },
  ]
}

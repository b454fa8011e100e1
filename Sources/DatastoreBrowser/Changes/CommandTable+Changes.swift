import TerminalUI

extension CommandTable {
  /// The commands that show the changes since the file was opened.
  static let changesCommands: [Command] = [
    Command(
      "changes", titled: "What has changed", synonyms: ["diff", "history", "external"],
      keys: ["gC"], label: "changes",
      help:
        "Show a table of what has changed since the file was opened, by other programs and by saves, with old "
        + "and new values; enter goes to the object, r compares again.", in: CommandScope.panels
    ) { $0.openChanges() }
  ]
}

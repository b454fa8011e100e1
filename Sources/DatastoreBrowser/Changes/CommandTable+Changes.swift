import TerminalUI

extension CommandTable {
  /// The commands that show the history: changes since the file was opened, and saves.
  static let changesCommands: [Command] = [
    Command(
      "changes", titled: "Change history",
      synonyms: ["diff", "external", "what", "saves", "timeline", "earlier"],
      keys: ["gC"], label: "history",
      help:
        "Show a table of what has changed since the file was opened, by other programs and by saves, with old "
        + "and new values; enter goes to the object, r compares again. gt goes to the saves of this session and "
        + "back; enter there undoes the save of a row by new unsaved changes; objects that were changed since "
        + "are left and named."
    ) { $0.openHistory() }
  ]
}

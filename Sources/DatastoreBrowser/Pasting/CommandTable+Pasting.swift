import TerminalUI

extension CommandTable {
  /// What can be done with pasted rows.
  static let pasteCommands: [Command] = [
    Command(
      "paste-header", keys: ["h"], label: "header",
      help: "Take the first row for names of columns, or for a row like the others.", in: [.paste],
      hintRank: 3
    ) { $0.togglePasteHeader() },
    Command(
      "paste-into-rows", keys: ["r"], label: "into rows",
      help: "Give the fields to the rows from the cursor on, or make new objects of them.",
      in: [.paste], hintRank: 2
    ) { $0.togglePasteTargets() },
  ]
}

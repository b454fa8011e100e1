import TerminalUI

extension CommandTable {
  /// What can be done with pasted rows.
  static let pasteCommands: [Command] = [
    Command(
      "paste-header", keys: ["h"], label: "header",
      help: "Take the first row for names of columns, or for a row like the others.", in: [.paste],
      hintRank: 3
    ) { $0.togglePasteHeader() }
  ]
}

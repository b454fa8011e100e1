import TerminalUI

extension CommandTable {
  /// What can be done with pasted rows.
  static let pasteCommands: [Command] = [
    Command(
      "stage-paste", keys: ["enter"], label: "paste",
      help:
        "Make a new object of each row that is not marked; they are saved with the other changes.",
      in: [.paste], hintRank: 1
    ) { $0.stagePaste() },
    Command(
      "paste-header", keys: ["h"], label: "header",
      help: "Take the first row for names of columns, or for a row like the others.", in: [.paste],
      hintRank: 3
    ) { $0.togglePasteHeader() },
  ]
}

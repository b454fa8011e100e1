import TerminalUI

extension CommandTable {
  static let pasteCommands: [Command] = [
    Command(
      "paste-header", keys: ["h"], label: "header",
      help: "Read the first row as the names of columns, or as a row like the others.",
      in: [PasteScreen.scope],
      hintRank: 3
    ) { $0.togglePasteHeader() },
    Command(
      "paste-into-rows", keys: ["r"], label: "into rows",
      help: "Assign the fields to the rows from the cursor on, or create new objects from them.",
      in: [PasteScreen.scope], hintRank: 2
    ) { $0.togglePasteTargets() },
  ]
}

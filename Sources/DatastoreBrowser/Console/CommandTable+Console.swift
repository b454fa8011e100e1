import TerminalUI

extension CommandTable {
  /// The SQL console.
  static let consoleCommands: [Command] = [
    Command(
      "sql", titled: "SQL console", synonyms: ["query", "select", "statement", "run", "execute"],
      keys: ["Q"],
      label: "SQL",
      help: "Open the SQL console; it only reads unless you allow writing.",
      in: CommandScope.panels, hintRank: 71
    ) { $0.openConsole() },
    Command(
      "run-sql", keys: ["enter", "f5"], label: "run",
      help: "Run the statement; with a completion marked, insert it.", in: [.console], hintRank: 1
    ) { $0.runSQL() },
    Command(
      "sql-new-line", keys: ["alt-enter", "ctrl-o"], label: "new line",
      help: "Begin a new line in the statement.", in: [.console], hintRank: 3
    ) { state in
      state.changeOverlay(as: SQLConsole.self) { $0.insert("\n") }
    },
    Command(
      "sql-may-write", keys: ["ctrl-t"], label: "write",
      help: "Allow statements to change the file, after a question; press again to only read.",
      in: [.console, .consoleResult], hintRank: 5, unless: .cannotWriteSQL
    ) { $0.toggleWriting() },
    Command(
      "edit-sql", keys: ["tab", "shift-tab", "i"], label: "statement",
      help: "Go back to the statement.", in: [.consoleResult], hintRank: 2
    ) { state in
      state.changeOverlay(as: SQLConsole.self) { $0.part = .editor }
    },
    Command(
      "go-to-answer", keys: ["shift-tab"], label: "answer", help: "Go to the rows of the answer.",
      in: [.console], hintRank: 4, unless: .noResult
    ) { state in
      state.changeOverlay(as: SQLConsole.self) { $0.part = .result }
    },
  ]
}

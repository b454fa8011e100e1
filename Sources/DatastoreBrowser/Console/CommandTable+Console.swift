import TerminalUI

extension CommandTable {
  static let consoleCommands: [Command] = [
    Command(
      "sql", titled: "SQL console", synonyms: ["query", "select", "statement", "run", "execute"],
      keys: ["Q"],
      label: "SQL",
      help: "Open the SQL console; it only reads unless you allow writing.", hintRank: 71
    ) { $0.openConsole() },
    Command(
      "run-sql", keys: ["enter", "f5"], label: "run",
      help: "Run the statement; its answer opens as a table. With a completion marked, insert it.",
      in: [SQLConsole.scope], hintRank: 1
    ) { $0.runSQL() },
    Command(
      "sql-new-line", keys: ["alt-enter", "ctrl-o"], label: "new line",
      help: "Begin a new line in the statement.", in: [SQLConsole.scope], hintRank: 3
    ) { state in
      state.changeOverlay(as: SQLConsole.self) { $0.insert("\n") }
    },
    Command(
      "sql-may-write", keys: ["ctrl-t"], label: "write",
      help: "Allow statements to change the file, after a question; press again to only read.",
      in: [SQLConsole.scope], hintRank: 5, unless: .cannotWriteSQL
    ) { $0.toggleWriting() },
  ]
}

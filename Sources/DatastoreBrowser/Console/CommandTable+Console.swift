import TerminalUI

extension CommandTable {
  /// The SQL console.
  static let consoleCommands: [Command] = [
    Command(
      "sql", titled: "SQL console", synonyms: ["query", "select", "statement", "run"], keys: ["Q"],
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
      "complete-sql", keys: ["tab"], label: "complete",
      help: "Complete the name of a table or column, or a word of SQL; without a word, go to the "
        + "answer. ↑ and ↓ bring back earlier statements.",
      in: [.console], hintRank: 2
    ) { $0.completeSQL() },
    Command(
      "sql-may-write", keys: ["ctrl-t"], label: "write",
      help: "Allow statements to change the file, after a question; press again to only read.",
      in: [.console, .consoleResult], hintRank: 5, unless: .cannotWriteSQL
    ) { $0.toggleWriting() },
    Command(
      "leave-sql", keys: ["esc", "ctrl-c"], label: "stop, close",
      help: "Stop the running statement; else go back to the statement, then close the console.",
      in: [.console, .consoleResult], hintRank: 6
    ) { $0.leaveConsolePart() },
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
    Command(
      "close-sql", keys: ["q", "Q"], label: "close", help: "Close the console.",
      in: [.consoleResult]
    ) { $0.closeConsole() },
    Command(
      "open-answer", keys: ["enter"], label: "table",
      help:
        "Open the answer as a table, on which every command works; q goes back. So does any key of the "
        + "table, which is pressed there.",
      in: [.consoleResult], hintRank: 1, unless: .noAnswerToOpen
    ) { $0.openAnswer() },
    Command(
      "show-answer-value", keys: ["V"], label: "value",
      help: "Show this value of the answer in full.",
      in: [.consoleResult], unless: .noResult
    ) { $0.showResultValue() },
    column("answer-left", ["left", "h"], "Go one column of the answer to the left.", -1),
    column("answer-right", ["right", "l"], "Go one column of the answer to the right.", 1),
    column("answer-first-column", ["0"], "Go to the first column of the answer.", -100_000),
    column("answer-last-column", ["$"], "Go to the last column of the answer.", 100_000),
  ]

  private static func column(_ name: String, _ keys: [KeySequence], _ help: String, _ step: Int)
    -> Command
  {
    Command(name, keys: keys, label: "column", help: help, in: [.consoleResult]) { state in
      state.changeResult { result, _ in result.moveColumn(by: step) }
    }
  }
}

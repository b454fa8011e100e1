import DatastoreCore
import TerminalUI

extension CommandTable {
  /// The commands of every panel.
  static let generalCommands: [Command] = [
    Command(
      "refresh", titled: "Read again", synonyms: ["reload", "update", "requery"],
      keys: ["r", "f5"], label: "read again",
      help:
        "Read the table and all counts again, to see what other programs have written; run the statement of an "
        + "SQL answer again, compute a derived table again.", unless: .noTable
    ) { state in
      if state.derivedTable != nil { return state.readDerivedTableAgain() }
      state.names.invalidateAll()
      state.table?.invalidateCounts()
      state.refetch(isKeepingPlace: true)
      state.countEntities()
    },
    Command(
      "stop", titled: "Stop reading", synonyms: ["cancel", "abort", "interrupt"], keys: ["esc"],
      label: "stop",
      help: "Stop reading a long table, searching it, or an import; else leave a derived table.",
      hintRank: 2, unless: .nothingIsRead
    ) { state in
      if state.derivedTable?.phase == .reading, state.table?.search?.isRunning != true {
        return state.request(.stopFillingDerivedTable)
      }
      // A derived table that is there is left, as its footer says, also while its list is read again.
      let isReading = state.table?.phase == .reading && state.derivedTable == nil
      if !isReading, state.table?.search?.isRunning != true {
        return state.importing.isRunning ? state.askToCancelImport() : state.leave()
      }
      if state.table?.search?.isRunning == true {
        state.table?.search?.isRunning = false
        state.table?.search?.number += 1
        return state.request(.stopSearching)
      }
      state.table?.phase = .stopped
      state.request(.stopFetching)
    },
    Command(
      "redraw", titled: "Redraw screen", synonyms: ["repaint"], keys: ["ctrl-l"], label: "redraw",
      help: "Redraw the screen after another program has written on it.",
      in: [.everywhere]
    ) { $0.request(.redraw) },
    Command(
      "suspend", titled: "Suspend program", synonyms: ["background", "shell", "pause"],
      keys: ["ctrl-z"], label: "suspend",
      help: "Suspend the program; the shell's fg resumes it.",
      in: [.everywhere]
    ) { $0.request(.suspend) },
    Command(
      "help", or: ["h"],
      synonyms: ["keys", "keybindings", "shortcuts", "manual", "documentation", "commands"],
      keys: ["?", "f1"], label: "help",
      help: "Show what all keys do; “:help WORD” shows the help about a word.", hintRank: 13,
      taking: Command.Argument("WORD") { state, word in
        state.openHelp(about: word)
      }
    ) { $0.openHelp() },
    Command(
      "quit", or: ["q"], synonyms: ["exit", "leave", "close"], onlyByWholeName: true,
      keys: ["q", "ctrl-c"], label: "quit",
      help: "Leave the browser, or a derived table (an SQL answer, counted values, a pivot).",
      hintRank: 14
    ) { $0.leave() },
    Command(
      "save-and-quit", or: ["wq", "x"], synonyms: ["write", "exit", "leave"], onlyByWholeName: true,
      keys: [], label: "save and leave",
      help: "Write all unsaved changes, then leave the browser."
    ) { $0.saveAndLeave() },
    Command(
      "discard-and-quit", or: ["q!"], synonyms: ["exit", "leave", "abandon"], onlyByWholeName: true,
      keys: [], label: "discard and leave",
      help: "Leave the browser without its unsaved changes, after a question."
    ) { $0.discardAndLeave() },
  ]
}

extension DisabledReason {
  static let nothingIsRead = DisabledReason {
    $0.derivedTable != nil || $0.table?.phase == .reading
      || $0.table?.search?.isRunning == true || $0.importing.isRunning
      ? nil : "Nothing is being read."
  }
}

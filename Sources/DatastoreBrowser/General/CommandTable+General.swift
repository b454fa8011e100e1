import DatastoreCore
import TerminalUI

extension CommandTable {
  /// What can be done in every panel.
  static let generalCommands: [Command] = [
    Command(
      "refresh", keys: ["r", "f5"], label: "read again",
      help: "Read the table and all counts again, to see what other programs have written.",
      in: CommandScope.panels, unless: .noTable
    ) { state in
      state.names.invalidateAll()
      state.table?.invalidateCounts()
      let counts = state.entities.names.indices.filter { state.entities.beginCounting($0) }
      return state.refetch(isKeepingPlace: true) + counts.map { .count(entity: $0) }
    },
    Command(
      "stop", keys: ["esc"], label: "stop",
      help: "Stop reading a long table, searching it, or an import.", in: CommandScope.panels,
      hintRank: 2, unless: .nothingIsRead
    ) { state in
      if state.table?.phase != .reading, state.table?.search?.isRunning != true {
        return state.askToCancelImport()
      }
      if state.table?.search?.isRunning == true {
        state.table?.search?.isRunning = false
        state.table?.search?.number += 1
        return [.stopSearching]
      }
      state.table?.phase = .stopped
      return [.stopFetching]
    },
    Command(
      "redraw", keys: ["ctrl-l"], label: "redraw",
      help: "Redraw the screen after another program has written on it.",
      in: [.everywhere]
    ) { _ in [.redraw] },
    Command(
      "suspend", keys: ["ctrl-z"], label: "suspend",
      help: "Suspend the program; the shell's fg resumes it.",
      in: [.everywhere]
    ) { _ in [.suspend] },
    Command(
      "help", keys: ["?", "f1"], label: "help", help: "Show what all keys do.",
      in: CommandScope.panels,
      hintRank: 13
    ) { state in
      state.open(HelpState(for: state.scope, keymap: state.keymap))
      return []
    },
    Command(
      "quit", keys: ["q", "ctrl-c"], label: "quit", help: "Leave the browser.",
      in: CommandScope.panels,
      hintRank: 14
    ) { $0.leave() },
  ]

  /// What can be done in what lies over the panels.
  static let overlayCommands: [Command] = [
    closing(
      "close-help", keys: ["esc", "q", "?", "f1", "enter"], "Close this help.", in: [.help],
      hintRank: 1)
  ]
}

extension DisabledReason {
  static let nothingIsRead = DisabledReason {
    $0.table?.phase == .reading || $0.table?.search?.isRunning == true || $0.importing.isRunning
      ? nil : "Nothing is being read."
  }
}

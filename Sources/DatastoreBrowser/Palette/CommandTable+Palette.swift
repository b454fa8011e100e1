import TerminalUI

extension CommandTable {
  /// The commands that find and repeat commands, and show earlier messages.
  static let paletteCommands: [Command] =
    [
      Command(
        "palette", titled: "Command palette", synonyms: ["find"], keys: [":", "ctrl-p"],
        label: "commands",
        help:
          "Find any command, entity, column, saved filter or view by words of its name, or their beginnings; a "
          + "number goes to its row.",
        hintRank: 70
      ) { state in
        state.open(PaletteState(over: state.scope, in: state))
      },
      Command(
        "menu", synonyms: ["context", "actions"], keys: ["f10"], label: "menu",
        help:
          "Show what can be done with the row, column, section and file under the cursor; a right click does the "
          + "same."
      ) { $0.openMenu() },
      Command(
        "messages", synonyms: ["log", "status", "errors", "warnings"], keys: ["gl"],
        label: "messages",
        help: "Show a table of earlier messages of the status line, the last one first.",
        unless: .noMessages
      ) { $0.openMessages() },
      Command(
        "macro-record", titled: "Record macro", synonyms: ["keys"], keys: ["K"], label: "record",
        help: "Record the keys that follow; press again to end the recording."
      ) { $0.toggleRecording() },
      Command(
        "macro-replay", titled: "Replay macro", synonyms: ["repeat", "run", "play"], keys: ["@"],
        label: "replay",
        help: "Replay the recorded keys, one after the other; any key stops it.",
        unless: .nothingRecorded
      ) { $0.replayRecording() },
    ]
}

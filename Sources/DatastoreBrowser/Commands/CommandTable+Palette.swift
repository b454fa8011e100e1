import TerminalUI

extension CommandTable {
  /// Finding commands, repeating them, and reading again what they have said.
  static let paletteCommands: [Command] = [
    Command(
      "palette", keys: [":", "ctrl-p"], label: "commands",
      help: "Find any command by a few characters of its name.", in: CommandScope.panels,
      hintRank: 70
    ) { state in
      state.open(PaletteState(over: state.scope, in: state))
      return []
    },
    Command(
      "do-command", keys: ["enter"], label: "do it", help: "Do the command under the cursor.",
      in: [.palette], hintRank: 1
    ) { $0.pick() },
    Command(
      "palette-complete", keys: ["tab"], label: "complete",
      help: "Complete the name of the command, or the path behind it.", in: [.palette], hintRank: 3
    ) { state in
      guard let palette = state.overlay(as: PaletteState.self) else { return [] }
      if let (command, argument) = palette.commandLine {
        return command.argument?.isPath == true ? [.completePath(argument)] : []
      }
      let current = state
      state.changeOverlay(as: PaletteState.self) { $0.completeName(in: current) }
      return []
    },
    Command(
      "palette-down", keys: ["down", "ctrl-n"], label: "down", help: "Go to the next command.",
      in: [.palette]
    ) { $0.move(.lineDown) },
    Command(
      "palette-up", keys: ["up", "ctrl-p"], label: "up", help: "Go to the command before.",
      in: [.palette]
    ) { $0.move(.lineUp) },
    Command(
      "palette-page-down", keys: ["pgdn"], label: "page down", help: "Go one screen down.",
      in: [.palette]
    ) { $0.move(.pageDown) },
    Command(
      "palette-page-up", keys: ["pgup"], label: "page up", help: "Go one screen up.",
      in: [.palette]
    ) { $0.move(.pageUp) },
    Command(
      "close-palette", keys: ["esc", "ctrl-c"], label: "close", help: "Close the palette.",
      in: [.palette], hintRank: 2
    ) { state in
      state.closeOverlay()
      return []
    },
    Command(
      "messages", keys: ["L"], label: "messages", help: "Read again what the status line has said.",
      in: CommandScope.panels
    ) { state in
      state.open(MessageLogState())
      return []
    },
    Command(
      "close-messages", keys: ["esc", "q", "L", "enter", "ctrl-c"], label: "close",
      help: "Close the messages.", in: [.messages], hintRank: 1
    ) { state in
      state.closeOverlay()
      return []
    },
    Command(
      "macro-record", keys: ["K"], label: "record",
      help: "Record the keys that follow; again to end the recording.", in: CommandScope.panels
    ) { $0.toggleRecording() },
    Command(
      "macro-replay", keys: ["@"], label: "replay",
      help: "Press the recorded keys again, each when the one before is done; any key stops it.",
      in: CommandScope.panels, unless: .nothingRecorded
    ) { [.replay($0.macro.last)] },
  ]
}

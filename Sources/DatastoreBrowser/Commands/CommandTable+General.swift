import DatastoreCore
import TerminalUI

extension CommandTable {
  /// What can be done in every panel.
  static let generalCommands: [Command] = [
    Command(
      "next-panel", keys: ["tab"], label: "panel", help: "Go to the next panel.",
      in: CommandScope.panels,
      hintRank: 80
    ) { state in
      state.moveFocus(by: 1)
      return []
    },
    Command(
      "previous-panel", keys: ["shift-tab"], label: "previous panel",
      help: "Go to the previous panel.", in: CommandScope.panels
    ) { state in
      state.moveFocus(by: -1)
      return []
    },
    Command(
      "toggle-detail", keys: ["v"], label: "details", help: "Show or hide the details.",
      in: CommandScope.panels, hintRank: 82
    ) { state in
      state.showsDetail.toggle()
      if state.focus == .detail { state.focus = .table }
      return []
    },
    Command(
      "back", keys: ["backspace"], label: "back",
      help: "Go back to where the last relationship was followed.", in: CommandScope.panels,
      hintRank: 6,
      unless: .noWayBack
    ) { $0.goBack() },
    Command(
      "refresh", keys: ["r", "f5"], label: "read again",
      help: "Read the table and all counts again, to see what other programs have written.",
      in: CommandScope.panels, unless: .noTable
    ) { state in
      state.names.invalidateAll()
      let counts = state.schema.entities.indices.filter { state.entities.beginCounting($0) }
      return state.refetch(isKeepingPlace: true) + counts.map { .count(entity: $0) }
    },
    Command(
      "stop", keys: ["esc"], label: "stop", help: "Stop reading a long table.",
      in: CommandScope.panels,
      hintRank: 2, unless: .nothingIsRead
    ) { state in
      state.table?.phase = .stopped
      return [.stopFetching]
    },
    Command(
      "suspend", keys: ["ctrl-z"], label: "suspend",
      help: "Stop the program for now; the shell's fg brings it back.",
      in: [.everywhere], worksUnseen: true
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
      hintRank: 14, worksUnseen: true
    ) { $0.leave() },
  ]

  /// What can be done in what lies over the panels.
  static let overlayCommands: [Command] = [
    Command(
      "close-help", keys: ["esc", "q", "?", "f1", "enter"], label: "close",
      help: "Close this help.", in: [.help], hintRank: 1
    ) { state in
      state.closeOverlay()
      return []
    }
  ]
}

import TerminalUI

extension CommandTable {
  /// What can be done in the help.
  static let helpCommands: [Command] = [
    Command(
      "search-help", keys: ["/"], label: "search",
      help: "Show only what has some words in its name, its keys or its sentence.", in: [.help],
      hintRank: 2
    ) { state in
      state.changeOverlay(as: HelpState.self) { $0.beginSearch() }
    },
    topic("next-topic", ["tab", "]"], 1, "Go to the next topic of the help.", hintRank: 3),
    topic("previous-topic", ["shift-tab", "["], -1, "Go to the previous topic of the help."),
    closing(
      "close-help", keys: ["esc", "q", "?", "f1", "enter"], "Close this help.", in: [.help],
      hintRank: 1),
    Command(
      "accept-help-search", keys: ["enter"], label: "read",
      help: "Read what was found.", in: [.helpSearch], hintRank: 1
    ) { state in
      state.changeOverlay(as: HelpState.self) { $0.endSearch() }
    },
    Command(
      "cancel-help-search", keys: ["esc", "ctrl-c"], label: "cancel",
      help: "Show the whole help again.", in: [.helpSearch], hintRank: 2
    ) { state in
      state.changeOverlay(as: HelpState.self) { $0.cancelSearch() }
    },
  ]

  private static func topic(
    _ name: String, _ keys: [KeySequence], _ step: Int, _ help: String, hintRank: Int? = nil
  ) -> Command {
    Command(name, keys: keys, label: "topic", help: help, in: [.help], hintRank: hintRank) {
      state in
      let size = state.size
      state.changeOverlay(as: HelpState.self) { $0.moveTopic(by: step, size: size) }
    }
  }
}

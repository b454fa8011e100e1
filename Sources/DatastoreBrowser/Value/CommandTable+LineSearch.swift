import TerminalUI

extension CommandTable {
  /// Searching a screen of lines for a text.
  static let lineSearchCommands: [Command] = [
    Command(
      "search-lines", keys: ["/"], label: "search", help: "Search these lines for a text.",
      in: [], wherever: [.searchesLines], hintRank: 4
    ) { $0.open(LineSearchPrompt()) },
    Command(
      "next-match", keys: ["n", "f3"], label: "next", help: "Go to the next match in these lines.",
      in: [], wherever: [.searchesLines], hintRank: 5
    ) { state in
      state.changeSearchedLines { $0.findAgain(forward: true, size: $1) }
    },
    Command(
      "previous-match", keys: ["N"], label: "previous",
      help: "Go to the previous match in these lines.", in: [], wherever: [.searchesLines]
    ) { state in
      state.changeSearchedLines { $0.findAgain(forward: false, size: $1) }
    },
    closing(
      "accept-line-search", keys: ["enter"], "Stay at this line; n and N go to other matches.",
      in: [.lineSearch], label: "stay here", hintRank: 1),
    Command(
      "cancel-line-search", keys: ["esc", "ctrl-c"], label: "cancel",
      help: "Cancel the search in these lines.", in: [.lineSearch], hintRank: 2
    ) { state in
      state.closeOverlay()
      state.changeSearchedLines { $0.find("", forward: true, includingStart: true, size: $1) }
    },
  ]
}

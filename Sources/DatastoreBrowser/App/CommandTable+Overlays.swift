import TerminalUI

extension CommandTable {
  /// The commands of overlays, by their traits: lists, lines, screens.
  static let overlayCommands: [Command] = [
    inOverlay(
      "accept", ["enter"], .accepts, label: "choose", hintRank: 1,
      "Choose the line under the cursor, or use the typed text; with a completion marked, insert that."
    ) { $0.accept(&$1) },
    inOverlay(
      "complete", ["tab"], .completes, label: "complete", hintRank: 2,
      "Complete the typed text: insert the marked completion, or the first one."
    ) { $0.complete(&$1) },
    inOverlay(
      "toggle", ["space", "x"], .toggles, label: "show", hintRank: 3,
      "Switch the line under the cursor on or off: show a column, leave one out, undo an annotation."
    ) { $0.toggle(&$1) },
    inOverlay(
      "delete-saved", ["ctrl-x", "delete"], .deletesSaved, label: "delete", hintRank: 2,
      "Delete the saved filter or view under the cursor; press twice."
    ) { $0.deleteSaved(&$1) },
    inOverlay(
      "change-form", ["f", "tab"], .hasForms, label: "form", hintRank: 2,
      "Show it in another form: a value as text, JSON, a tree or bytes, the schema as a graph."
    ) { $0.changeForm(&$1) },
    inOverlay(
      "close", ["esc", "q", "ctrl-c"], .closes, label: "close", hintRank: 6,
      "Close this without applying what is typed or chosen, and stop what is running."
    ) { $0.dismiss(&$1) },
  ]

  private static func inOverlay(
    _ name: String, _ keys: [KeySequence], _ trait: CommandScope.Trait, label: String,
    hintRank: Int, _ help: String,
    _ act: @escaping @Sendable (any Overlay, inout BrowserState) -> Void
  ) -> Command {
    Command(
      name, keys: keys, label: label, help: help, in: [], wherever: [trait], hintRank: hintRank
    ) { state in
      guard let overlay = state.overlays.last else { return }
      act(overlay, &state)
    }
  }
}

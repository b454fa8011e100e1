import DatastoreCore
import TerminalUI

/// Saving a session as a script.
extension BrowserState {
  /// Writes the steps since the browser was opened into a file.
  mutating func saveSession(to path: String) {
    if session.isCut {
      return tell(
        "The session is so long that its beginning is no longer recorded; it cannot be saved.",
        .warning)
    }
    let steps = session.stepsBefore
    let text = SessionScript(steps).text(of: storeName, size: size)
    let done = steps.count { if case .idle = $0 { false } else { true } }
    request(.saveSession(text, path: path, steps: done))
  }
}

extension PathPrompt.Purpose {
  static let saveSession = PathPrompt.Purpose(
    title: "Save the session to", demand: "Type the path of a new file."
  ) { state, path in
    state.closeOverlay()
    state.saveSession(to: path)
  }

  static let replaySession = PathPrompt.Purpose(
    title: "Replay the session in", demand: "Type the path of a saved session."
  ) { state, path in
    state.closeOverlay()
    state.request(.readSession(path, state.keymap.commands))
  }
}

extension CommandTable {
  static let sessionCommands: [Command] = [
    Command(
      "save-session", synonyms: ["script", "record"], keys: ["gS"], label: "save session",
      help:
        "Save everything done since the browser was opened as a script of commands: “:save-session FILE”; "
        + "“datastore browse --replay FILE” does it again without a terminal.",
      taking: Command.Argument("FILE", isPath: true) { $0.saveSession(to: $1) }
    ) { $0.open(PathPrompt(.saveSession)) },
    Command(
      "replay-session", synonyms: ["script", "run"], keys: ["gR"], label: "replay session",
      help: "Replay a saved session step by step; any key stops it.",
      taking: Command.Argument("FILE", isPath: true) {
        $0.request(.readSession($1, $0.keymap.commands))
      }
    ) { $0.open(PathPrompt(.replaySession)) },
  ]
}

import DatastoreCore
import TerminalUI

/// Saving a session as a script, and doing what a script says.
extension BrowserState {
  /// Writes what was done since the browser was opened into a file.
  mutating func saveSession(to path: String, replacing: Bool = false) -> [Effect] {
    if session.isCut {
      message = Message(
        text: "So much was done that its beginning is not known any more; it cannot be a script.",
        severity: .warning)
      return []
    }
    let steps = session.stepsBefore
    let text = SessionScript(steps).text(of: storeName, size: size)
    return [.saveSession(text, path: path, steps: steps.count)]
  }

  /// Does one step of a script.
  mutating func perform(_ step: SessionStep) -> [Effect] {
    switch step {
    case .command(let name, let argument): return perform(named: name, argument)
    case .type(let text):
      guard !overlays.isEmpty else {
        message = Message(
          text: "There is no line in which “\(text)” could be typed.", severity: .warning)
        return []
      }
      return text.reduce(into: []) { effects, character in
        effects += handleInOverlay { $0.press(Key(.character(character)), in: &$1) }
      }
    case .key(let key):
      guard !overlays.isEmpty else {
        message = Message(text: "\(key) does nothing here.", severity: .warning)
        return []
      }
      return handleInOverlay { $0.press(key, in: &$1) }
    case .paste(let text): return UserInput(.paste(text)).apply(to: &self)
    case .click(let column, let row, let clicks):
      let event = MouseEvent(.press(.left, clicks: clicks), at: Position(column: column, row: row))
      return UserInput(.mouse(event)).apply(to: &self)
    case .size(let size): return UserInput(.resize(size)).apply(to: &self)
    }
  }

  private mutating func perform(named name: String, _ argument: String) -> [Effect] {
    guard let command = keymap.commands.named(name) else {
      message = Message(text: "There is no command “\(name)”.", severity: .warning)
      return []
    }
    let isHere = command.scopes.contains(scope) || command.scopes.contains(.everywhere)
    if !isHere, overlays.isEmpty,
      let panel = [Focus.table, .detail, .entities].first(where: {
        command.scopes.contains(CommandScope($0))
      })
    {
      if panel == .detail { showsDetail = true }
      focus = panel
    } else if !isHere {
      message = Message(
        text: "\(name) does nothing here: \(scope.title.prefix(1).lowercased())"
          + "\(scope.title.dropFirst()).", severity: .warning)
      return []
    }
    guard !argument.isEmpty else { return perform(command) }
    guard let taking = command.argument else {
      message = Message(text: "\(name) takes nothing after its name.", severity: .warning)
      return []
    }
    if let reason = command.reasonIfDisabled(self) {
      message = Message(text: reason, severity: .warning)
      return []
    }
    return taking.perform(&self, argument)
  }
}

/// A step of a script that is being replayed.
struct SessionInput: BrowserEvent {
  let step: SessionStep

  func apply(to state: inout BrowserState) -> [Effect] {
    state.message = nil
    if state.overlays.isEmpty { state.session.begin() }
    switch step {
    // These are noted where the terminal's own are.
    case .paste, .click, .size: break
    default: state.session.note(step)
    }
    return state.perform(step)
  }
}

extension PathPrompt.Purpose {
  static let saveSession = PathPrompt.Purpose(
    title: "Save the session to", demand: "Type the path of a new file."
  ) { state, path in
    state.closeOverlay()
    return state.saveSession(to: path)
  }

  static let replaySession = PathPrompt.Purpose(
    title: "Replay the session in", demand: "Type the path of a saved session."
  ) { state, path in
    state.closeOverlay()
    return [.readSession(path)]
  }
}

extension CommandTable {
  static let sessionCommands: [Command] = [
    Command(
      "save-session", keys: ["gS"], label: "save session",
      help:
        "Save what was done since the browser was opened as a script of commands: “:save-session FILE”; "
        + "“datastore browse --replay FILE” does it again without a terminal.",
      in: CommandScope.panels,
      taking: Command.Argument("FILE", isPath: true) { $0.saveSession(to: $1) }
    ) { state in
      state.open(PathPrompt(.saveSession))
      return []
    },
    Command(
      "replay-session", keys: ["gR"], label: "replay session",
      help: "Do what a saved session says, step by step; any key stops it.",
      in: CommandScope.panels,
      taking: Command.Argument("FILE", isPath: true) { [.readSession($1)] }
    ) { state in
      state.open(PathPrompt(.replaySession))
      return []
    },
  ]
}

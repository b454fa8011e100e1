import DatastoreCore
import TerminalUI

/// Replaying the script of a session.
extension BrowserState {
  mutating func perform(_ step: SessionStep) {
    switch step {
    case .begin(let text): beginSession(at: text)
    case .command(let name, let argument): perform(named: name, argument)
    case .type(let text):
      guard !overlays.isEmpty else {
        return tell("There is no line in which “\(text)” could be typed.", .warning)
      }
      for character in text {
        handleInOverlay { $0.press(Key(.character(character)), in: &$1) }
      }
    case .key(let key):
      guard !overlays.isEmpty else { return tell("\(key) does nothing here.", .warning) }
      handleInOverlay { $0.press(key, in: &$1) }
    case .paste(let text): UserInput(.paste(text)).apply(to: &self)
    case .click(let column, let row, let clicks):
      let event = MouseEvent(.press(.left, clicks: clicks), at: Position(column: column, row: row))
      UserInput(.mouse(event)).apply(to: &self)
    case .size(let size): UserInput(.resize(size)).apply(to: &self)
    case .idle: break
    }
  }

  private mutating func perform(named name: String, _ argument: String) {
    guard let command = keymap.commands.named(name) else {
      return tell("There is no command “\(name)”.", .warning)
    }
    let isHere = command.scopes.contains(scope) || command.scopes.contains(.everywhere)
    guard isHere || overlays.isEmpty && focusPanel(of: command) else {
      return tell(
        "\(name) does nothing here: \(scope.title.prefix(1).lowercased())"
          + "\(scope.title.dropFirst()).", .warning)
    }
    guard argument.isEmpty || command.argument != nil else {
      return tell("\(name) takes nothing after its name.", .warning)
    }
    perform(command, argument)
  }
}

/// A step of a script during its replay.
struct SessionInput: BrowserEvent {
  let step: SessionStep

  func apply(to state: inout BrowserState) {
    state.message = nil
    if state.overlays.isEmpty { state.session.begin() }
    switch step {
    // These steps are recorded as the terminal's own input is.
    case .paste, .click, .size: break
    default: state.session.record(step)
    }
    state.perform(step)
  }
}

extension SessionScript {
  /// Reads a script of the browser's commands from a file. Waits for the disk.
  ///
  /// - Throws: `SessionScriptFault`, or a sentence about why the file cannot be read.
  package init(contentsOfFile path: String) throws {
    try self.init(contentsOfFile: path, commands: .standard)
  }
}

import TerminalUI

/// What keys and commands do.
extension BrowserState {
  /// Ends the browser.
  mutating func finish() -> [Effect] {
    isFinished = true
    return [.quit]
  }

  /// Does what a key says for what takes the keys now.
  mutating func act(on key: Key) -> [Effect] {
    if let command = keymap.command(for: key, in: scope) { return perform(command) }
    return handleInOverlay { $0.press(key, in: &$1) }
  }

  /// Carries out a command, or says why it cannot be.
  mutating func perform(_ command: Command) -> [Effect] {
    if let reason = command.reasonIfDisabled(self) {
      message = Message(text: reason, severity: .warning)
      return []
    }
    return command.perform(&self)
  }
}

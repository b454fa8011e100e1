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
    if layout.isTooSmall {
      // Nothing but a question can be seen, so only answering it and leaving make sense.
      let isQuestion = overlays.last is Question
      if let command = keymap.command(for: key, in: isQuestion ? scope : .table),
        command.worksWithoutSpace
      {
        return command.perform(&self)
      }
      return isQuestion ? handleInOverlay { $0.press(key, in: &$1) } : []
    }
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

import TerminalUI

/// What the user does.
extension BrowserState {
  mutating func handle(_ input: InputEvent) -> [Effect] {
    switch input {
    case .key(let key): return press(key)
    case .paste(let text):
      return handleInOverlay { $0.paste(text, in: &$1) }
    case .mouse(let event): return layout.isTooSmall ? [] : handle(event)
    case .resize(let size):
      self.size = size
      for index in overlays.indices {
        var overlay = overlays[index]
        overlay.resize(in: self)
        overlays[index] = overlay
      }
      return []
    case .suspended, .resumed: return []
    case .closed, .terminate:
      isFinished = true
      return [.quit]
    }
  }

  private mutating func press(_ key: Key) -> [Effect] {
    message = nil
    // From here on rows may differ because of what the user does.
    externalChange = nil
    macro.note(key)
    if editing.isSaving, overlays.isEmpty, ["esc", "q", "ctrl-c"].contains(key) {
      return [.stopSaving]
    }
    if editing.awaited != nil {
      typeAhead(key)
      return []
    }
    return act(on: key)
  }

  /// Does what a key says for what takes the keys now.
  mutating func act(on key: Key) -> [Effect] {
    if layout.isTooSmall {
      // Nothing but a question can be seen, so only answering it and leaving make sense.
      let isQuestion = overlays.last is Question
      if let command = keymap.command(for: key, in: isQuestion ? scope : .table),
        command.worksUnseen
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
    if let reason = command.reasonDisabled(self) {
      message = Message(text: reason, role: .warning)
      return []
    }
    return command.perform(&self)
  }
}

import Gates
import TerminalUI

/// What the user does.
extension BrowserState {
  mutating func handle(_ input: InputEvent) -> [Effect] {
    switch input {
    case .key(let key): return press(key)
    case .paste(let text): return paste(text)
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

  /// Hands on what was pasted without controls, which came along unseen; newlines and tabs stay, and are
  /// shown as marks where there is one line only.
  private mutating func paste(_ text: String) -> [Effect] {
    guard !overlays.isEmpty else { return [] }
    let (text, removed) = text.removingControls()
    let effects = handleInOverlay { $0.paste(text, in: &$1) }
    if removed > 0 {
      let subject = removed == 1 ? "One control character" : "\(removed) control characters"
      message = Message(text: "\(subject) of the pasted text left out.", role: .warning)
    }
    return effects
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

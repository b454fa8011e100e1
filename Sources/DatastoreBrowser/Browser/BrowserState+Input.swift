import Gates
import TerminalUI

struct UserInput: BrowserEvent {
  let input: InputEvent

  init(_ input: InputEvent) {
    self.input = input
  }

  func apply(to state: inout BrowserState) { state.handle(input) }
}

extension BrowserState {
  fileprivate mutating func handle(_ input: InputEvent) {
    switch input {
    case .key(let key): press(key)
    case .paste(let text): paste(text)
    case .mouse(let event): handle(event)
    case .resize(let size):
      if size != self.size { session.record(.size(size)) }
      self.size = size
      for index in overlays.indices {
        var overlay = overlays[index]
        overlay.resize(in: self)
        overlays[index] = overlay
      }
    case .suspended, .resumed: break
    case .closed, .terminate:
      isFinished = true
      request(.quit)
    }
  }

  /// Passes on pasted text without invisible controls. Newlines and tabs stay, and appear as marks in a
  /// single line.
  private mutating func paste(_ text: String) {
    message = nil
    if overlays.isEmpty {
      session.begin()
      macro.beginAction()
    }
    session.record(.paste(text))
    macro.record(.paste(text))
    let (text, removed) = text.removingControls()
    if overlays.isEmpty {
      pasteRows(text)
    } else {
      handleInOverlay { $0.paste(text, in: &$1) }
    }
    if removed > 0, message == nil {
      let subject = removed == 1 ? "One control character" : "\(removed) control characters"
      tell("\(subject) removed from the pasted text.", .warning)
    }
  }

  private mutating func press(_ key: Key) {
    message = nil
    // From here on the user's actions may change rows.
    externalChange = nil
    table?.markSeen()
    if overlays.isEmpty { macro.beginAction() }
    macro.record(.key(key))
    if editing.isSaving, overlays.isEmpty, ["esc", "q", "ctrl-c"].contains(key) {
      return request(.stopSaving)
    }
    if let pending = editing.pendingAnswer {
      typeAhead(key)
      guard editing.pendingAnswer == nil else { return }
      if pending == .nestedStore { request(.stopOpeningDerivedTable) }
      // The reading stops at the first Escape, too.
      if pending == .list { act(on: key) }
      return
    }
    act(on: key)
  }
}

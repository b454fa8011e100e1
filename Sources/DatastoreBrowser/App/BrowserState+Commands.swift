import TerminalUI

/// What keys and commands do.
extension BrowserState {
  /// Ends the browser.
  mutating func finish() {
    isFinished = true
    request(.quit)
  }

  /// Does what a key says for what takes the keys now.
  mutating func act(on key: Key) { act(on: KeySequence([key])) }

  /// Does what keys say that were pressed one after the other; where more are to follow, shows which.
  mutating func act(on keys: KeySequence) {
    if overlays.isEmpty { session.begin() }
    if let command = keymap.command(for: keys, in: scope) {
      session.record(.command(command.name))
      // Escape is pressed to be sure that nothing is open; then nothing is to be said.
      if keys == "esc", overlays.isEmpty, command.reasonIfDisabled(self) != nil { return }
      return perform(command)
    }
    if keymap.isBeginning(keys, in: scope) {
      open(KeyHints(keys, in: scope))
      return
    }
    guard keys.keys.count == 1, !overlays.isEmpty else {
      sayNothingHappens(keys)
      return
    }
    if scope != .keyHints { session.record(keys.keys[0]) }
    handleInOverlay { $0.press(keys.keys[0], in: &$1) }
  }

  /// Says which keys lead to all others.
  mutating func greet() {
    func key(_ name: String) -> String {
      keymap.commands.named(name).flatMap { keymap.keys(of: $0).first }?.description ?? ":\(name)"
    }
    message = Message(
      text:
        "Press \(key("help")) for help, \(key("palette")) for commands, \(key("quit")) to quit.",
      severity: .information)
  }

  /// Says that keys do nothing here, and how to see the ones that do.
  mutating func sayNothingHappens(_ keys: KeySequence) {
    let help = keymap.commands.named("help").flatMap { keymap.keys(of: $0).first }
    let hint = overlays.isEmpty ? help.map { " Press \($0) to see the keys." } ?? "" : ""
    message = Message(text: "\(keys) does nothing here.\(hint)", severity: .information)
  }

  /// Carries out a command, or says why it cannot be.
  mutating func perform(_ command: Command) {
    if let reason = command.reasonIfDisabled(self) {
      message = Message(text: reason, severity: .warning)
      return
    }
    command.perform(&self)
  }

  /// Runs a command with what was said behind its name, or else says why it cannot be run.
  mutating func perform(_ command: Command, _ argument: String) {
    guard !argument.isEmpty, let taking = command.argument else { return perform(command) }
    if let reason = command.reasonIfDisabled(self) {
      message = Message(text: reason, severity: .warning)
      return
    }
    taking.perform(&self, argument)
  }

  /// Goes to the first panel that a command belongs to; false where it belongs to none.
  @discardableResult
  mutating func focusPanel(of command: Command) -> Bool {
    let panels = [Focus.table, .detail, .entities]
    guard let panel = panels.first(where: { command.scopes.contains(CommandScope($0)) }) else {
      return false
    }
    switch panel {
    case .detail: showsDetail = true
    case .entities: showsEntities = true
    case .table: break
    }
    focus = panel
    return true
  }
}

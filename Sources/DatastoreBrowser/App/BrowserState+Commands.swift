import TerminalUI

/// Running commands by their keys and names.
extension BrowserState {
  /// Ends the browser.
  mutating func finish() {
    isFinished = true
    request(.quit)
  }

  /// Handles a key in the current scope.
  mutating func act(on key: Key) { act(on: KeySequence([key])) }

  /// Handles keys pressed one after the other. If more keys may follow, opens a list of them.
  mutating func act(on keys: KeySequence) {
    if overlays.isEmpty { session.begin() }
    if let command = keymap.command(for: keys, in: scope) {
      if isRowToCome, command.reasonIfDisabled(self) != nil, keys != "esc" {
        // It may need the row.
        awaitAnswer(.firstRows)
        for key in keys.keys { typeAhead(key) }
        return
      }
      record(command)
      // Users press Escape to be sure that nothing is open; then there is no message.
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
    if scope != KeyHints.scope { session.record(keys.keys[0]) }
    handleInOverlay { $0.press(keys.keys[0], in: &$1) }
  }

  /// Records a command that is about to be run.
  mutating func record(_ command: Command) {
    let step = SessionStep.command(command.name)
    session.record(command.reasonIfDisabled(self) == nil ? step : .idle(step))
  }

  /// Shows the keys that lead to all others.
  mutating func greet() {
    tell(
      "Press \(key(of: "help")) for help, \(key(of: "palette")) for commands, \(key(of: "quit")) to quit.",
      .information)
  }

  /// What to press for a command: its first key, or its name in the command line.
  func key(of name: String) -> String {
    keymap.commands.named(name).flatMap { keymap.keys(of: $0).first }?.description ?? ":\(name)"
  }

  /// Shows a message that the keys have no effect here, and how to see those that have.
  mutating func sayNothingHappens(_ keys: KeySequence) {
    let hint = overlays.isEmpty ? " Press \(key(of: "help")) to see the keys." : ""
    tell("\(keys) does nothing here.\(hint)", .information)
  }

  /// Runs a command, or reports why it is disabled.
  mutating func perform(_ command: Command) {
    if let reason = command.reasonIfDisabled(self) { return tell(reason, .warning) }
    command.perform(&self)
  }

  /// Runs a command with the argument after its name, or reports why it is disabled.
  mutating func perform(_ command: Command, _ argument: String) {
    guard !argument.isEmpty, let taking = command.argument else { return perform(command) }
    if let reason = command.reasonIfDisabled(self) { return tell(reason, .warning) }
    taking.perform(&self, argument)
  }

  /// Focuses the first panel that a command belongs to; false if it belongs to none.
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

import DatastoreCore
import TerminalUI

/// The SQL console.
extension BrowserState {
  /// Opens the console as the user left it.
  mutating func openConsole() {
    let console = keptConsole ?? SQLConsole()
    let isNew = keptConsole == nil
    keptConsole = nil
    open(console)
    if isNew { request(.prepareConsole) }
  }

  /// Closes the console and keeps its state; cancels a running statement.
  mutating func closeConsole() {
    guard let console = overlay(as: SQLConsole.self) else { return }
    keptConsole = console
    closeOverlay()
    if console.isWriting { request(.stopOpeningDerivedTable) }
  }

  /// Cancels the running statement, closes the menu, or closes the console.
  mutating func leaveConsolePart() {
    guard let console = overlay(as: SQLConsole.self) else { return }
    if console.isWriting { return request(.stopOpeningDerivedTable) }
    var closedMenu = false
    changeOverlay(as: SQLConsole.self) { closedMenu = $0.closeMenu() }
    if closedMenu { return }
    closeConsole()
  }

  mutating func runSQL() {
    if overlay(as: SQLConsole.self)?.isWriting == true {
      return tell("A statement is writing; wait until it ends, or press esc to stop it.", .warning)
    }
    var request: SQLRequest?
    var history: [String] = []
    changeOverlay(as: SQLConsole.self) { console in
      guard !console.acceptCompletion() else { return }
      request = console.run()
      history = console.history
    }
    guard let request else { return }
    // Keys pressed meanwhile are for the answer.
    awaitAnswer(.nestedStore)
    self.request(.runSQL(request))
    self.request(.keepSQLHistory(history))
  }

  /// Allows statements to write, after a question, or forbids it again.
  mutating func toggleWriting() {
    guard let console = overlay(as: SQLConsole.self) else { return }
    if console.isWritable {
      changeOverlay(as: SQLConsole.self) { $0.isWritable = false }
      return tell("Statements can only read now.", .success)
    }
    ask(
      title: "SQL that writes",
      message: "Allow statements to change the file? Each runs AT ONCE, in a transaction of its "
        + "own; undo cannot revert it.",
      role: .warning, "allow writing", else: "read only"
    ) { state in
      state.changeOverlay(as: SQLConsole.self) { $0.isWritable = true }
    }
  }

  mutating func apply(_ event: SQLEvent) {
    switch event {
    case .historyFailed(let reason): tell(reason, .warning)
    // No table will open.
    case .writing, .failed: dropTypedAhead()
    default: break
    }
    if overlays.contains(where: { $0 is SQLConsole }) {
      changeOverlay(as: SQLConsole.self) { $0.apply(event) }
    } else {
      keptConsole?.apply(event)
      // The console's own report is not visible.
      if case .takenBack(_, let report) = event {
        tell(report, .warning)
      }
    }
    if case .tablesChanged = event { applyChangeOfTables() }
  }
}

extension DisabledReason {
  static let cannotWriteSQL = DisabledReason { $0.editing.readOnlyReason }
}

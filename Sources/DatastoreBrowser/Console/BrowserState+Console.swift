import Basics
import DatastoreCore
import DatastoreExport
import TerminalUI

/// Asking the file in SQL.
extension BrowserState {
  /// Opens the console as it was left.
  mutating func openConsole() {
    var console = keptConsole ?? SQLConsole()
    console.settle(size: size)
    let isNew = keptConsole == nil
    keptConsole = nil
    open(console)
    if isNew { request(.prepareConsole) }
  }

  /// Closes the console and keeps it as it is; a statement that runs is ended.
  mutating func closeConsole() {
    guard let console = overlay(as: SQLConsole.self) else { return }
    keptConsole = console
    closeOverlay()
    if console.isRunning { request(.stopSQL) }
  }

  /// Ends what runs, closes the menu, or closes the console.
  mutating func leaveConsolePart() {
    guard let console = overlay(as: SQLConsole.self) else { return }
    if console.isRunning { return request(.stopSQL) }
    var closedMenu = false
    changeOverlay(as: SQLConsole.self) { closedMenu = $0.closeMenu() }
    if closedMenu { return }
    closeConsole()
  }

  mutating func runSQL() {
    if overlay(as: SQLConsole.self)?.isWriting == true {
      message = Message(
        text: "A statement is writing; wait until it ends, or press esc to stop it.",
        severity: .warning)
      return
    }
    var request: SQLRequest?
    var history: [String] = []
    changeOverlay(as: SQLConsole.self) { console in
      guard !console.acceptCompletion() else { return }
      request = console.run()
      history = console.history
    }
    guard let request else { return }
    self.request(.runSQL(request))
    self.request(.keepSQLHistory(history))
  }

  mutating func completeSQL() {
    changeOverlay(as: SQLConsole.self) { console in
      if !console.complete(), console.result?.count ?? 0 > 0 { console.part = .result }
    }
  }

  /// Lets statements write, after a question, or no longer.
  mutating func toggleWriting() {
    guard let console = overlay(as: SQLConsole.self) else { return }
    if console.isWritable {
      changeOverlay(as: SQLConsole.self) { $0.isWritable = false }
      message = Message(text: "Statements can only read now.", severity: .success)
      return
    }
    open(
      Question(
        title: "SQL that writes",
        message: "Allow statements to change the file? Each runs AT ONCE, in a transaction of its "
          + "own; undo cannot revert it.",
        answers: [
          Question.Answer("y", "allow writing") { state in
            state.changeOverlay(as: SQLConsole.self) { $0.isWritable = true }
          },
          Question.Answer("n", "read only") { _ in },
        ], role: .warning))
  }

  mutating func apply(_ event: SQLEvent) {
    let size = size
    if case .historyFailed(let reason) = event {
      message = Message(text: reason, severity: .warning)
    }
    if overlays.contains(where: { $0 is SQLConsole }) {
      changeOverlay(as: SQLConsole.self) { $0.apply(event, size: size) }
    } else {
      keptConsole?.apply(event, size: size)
      // Nobody sees the console's own line.
      if case .takenBack(_, let report) = event {
        message = Message(text: report, severity: .warning)
      }
    }
    if case .tablesChanged = event { applyChangeOfTables() }
  }

  mutating func changeResult(_ change: (inout SQLResult, Rectangle) -> Void) {
    let size = size
    changeOverlay(as: SQLConsole.self) { $0.changeResult(change, size: size) }
  }

  /// Shows the value under the cursor of the answer whole.
  fileprivate mutating func openResultValue() {
    guard let result = overlay(as: SQLConsole.self)?.result ?? nil,
      let value = result.value(row: result.scroll.cursor, column: result.column)
    else { return }
    open(
      ValueScreen(
        value,
        title: "row \(CountText.grouped(result.scroll.cursor + 1)): "
          + result.columns[result.column].name))
  }

  /// Opens the answer as a table, on which every command works.
  ///
  /// - Parameter key: what was pressed that the answer itself does not know; it is pressed in the table.
  mutating func openAnswer(pressing key: Key? = nil) {
    guard let result = focusedResult, !result.columns.isEmpty else { return }
    if let key, keymap.command(for: KeySequence([key]), in: .table) == nil,
      !keymap.isBeginning(KeySequence([key]), in: .table)
    {
      sayNothingHappens(KeySequence([key]))
      return
    }
    // The rows that are still to come are read into the table.
    let isRunning = overlay(as: SQLConsole.self)?.isRunning ?? false
    if isRunning { request(.stopSQL) }
    openDerivedTable(result.request, pressing: key)
  }

  /// The answer that copying and exporting are about, while the console has the keys.
  var focusedResult: SQLResult? { overlay(as: SQLConsole.self)?.result }
}

extension SQLConsole: ValueOverlay {
  func reasonNotToShowValue(in state: BrowserState) -> String? {
    DisabledReason.noResult.reason(state)
  }

  func showValue(_ state: inout BrowserState) { state.openResultValue() }
}

extension DisabledReason {
  static let noResult = DisabledReason {
    $0.focusedResult?.count ?? 0 > 0 ? nil : "There are no rows here."
  }

  static let cannotWriteSQL = DisabledReason { $0.editing.readOnlyReason }
}

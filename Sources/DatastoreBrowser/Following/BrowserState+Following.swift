import DatastoreCore
import TerminalUI

/// Another process has changed the tables.
struct TablesChangedElsewhere: BrowserEvent {
  func apply(to state: inout BrowserState) {
    state.applyChangeOfTablesElsewhere()
  }
}

/// The file has been opened again, or could not be.
struct ReopeningEnded: BrowserEvent {
  func apply(to state: inout BrowserState) {
    state.releaseKeysAfterReopening()
  }
}

/// Following the tables of the file. The schema of a datastore never changes while it is open, so the file is
/// opened again behind the screen, and the browser continues with the new datastore.
extension BrowserState {
  /// Whether reopening the file would lose nothing: no change is staged or being saved, and no editor is
  /// open.
  var canFollowTables: Bool {
    editing.marks.isEmpty && !editing.isSaving
      && (editing.pendingAnswer ?? .reopening) == .reopening && !importing.isRunning
      && importing.awaitsReopening == nil && !isFinished
      && overlays.allSatisfy(\.survivesNewTables)
  }

  /// Records that an SQL statement has changed the tables.
  mutating func applyChangeOfTables() {
    following = .awaited
    guard !editing.marks.isEmpty else { return }
    ask(
      title: "The tables have changed",
      message: "There are unsaved changes: \(editing.marks.description). They are kept; the "
        + "list of entities is reloaded when they are saved or reverted.",
      role: .warning, "save and reload", by: "s", else: "later", by: "esc"
    ) { state in
      if let reason = DisabledReason.cannotSave.reason(state) {
        return state.tell(reason, .warning)
      }
      state.save()
    }
  }

  /// Records that another process has changed the tables. Opens no question, since the keys that the user is
  /// typing are for something else.
  mutating func applyChangeOfTablesElsewhere() {
    following = .awaited
    tell(
      editing.marks.isEmpty
        ? "Another process has changed the tables of the file."
        : "Another process has changed the tables of the file; the list of entities is reloaded when the "
          + "changes are saved or reverted.", .warning)
  }

  /// Reopens the file as soon as nothing would be lost. Keys wait for the new tables.
  mutating func followTables() {
    guard following == .awaited, canFollowTables else { return }
    following = .opening
    awaitAnswer(.reopening)
    request(.reopen)
  }

  /// The file could not be opened again.
  mutating func giveUpFollowing(_ reason: String) {
    following = .none
    tell("The tables have changed, but the file could not be opened again: \(reason)", .error)
  }
}

import DatastoreCore
import TerminalUI

/// Offering the changes that a crash has left, once.
extension BrowserState {
  mutating func offer(_ found: FoundRecovery) {
    ask(
      title: "Unsaved changes from an earlier session",
      message: "The browser ended without saving: \(found.what), of \(found.when) (UTC).",
      answers: [
        Question.Answer("r", "restore") { $0.request(.restoreRecovery(found.path)) },
        Question.Answer("d", "discard") { $0.askToDiscard(found) },
        Question.Answer("esc", "later") { state in
          state.tell("The changes stay in \(found.path) and are offered again.", .note)
        },
      ])
  }

  private mutating func askToDiscard(_ found: FoundRecovery) {
    ask(
      title: "Discard",
      message: "Discard \(found.what) from an earlier session for good?",
      role: .warning, "discard", else: "keep for later"
    ) { $0.request(.discardRecovery(found.path)) }
  }

  /// Shows what was restored, and applies the schema edits that were.
  mutating func apply(_ report: RestagingReport, _ schemaEdits: [SchemaEdit]) {
    if !schemaEdits.isEmpty { schemaEditing.restore(schemaEdits) }
    let restored = [
      editing.marks.isEmpty ? nil : editing.marks.description,
      schemaEditing.edits.isEmpty ? nil : schemaEditing.title,
    ].compactMap(\.self)
    if !report.losses.isEmpty {
      ask(
        title: "Not everything was restored", message: report.losses.joined(separator: "\n"),
        answers: [Question.Answer("esc", "close") { _ in }], role: .warning)
    }
    if report.conflicts.isEmpty, restored.isEmpty {
      tell("Restored nothing: the file already has all of it.", .note)
    } else if report.conflicts.isEmpty {
      tell("Restored: \(restored.joined(separator: ", and ")). Nothing is saved yet.", .success)
    } else {
      open(ConflictScreen(report.conflicts, savesAfterwards: false))
    }
  }
}

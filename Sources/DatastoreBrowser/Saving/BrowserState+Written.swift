import DatastoreCore
import TerminalUI

/// Saving, reverting and leaving.
extension BrowserState {
  /// Begins to write what is staged.
  mutating func save() -> [Effect] {
    editing.isSaving = true
    return [.save]
  }

  /// Asks before everything that is staged is taken back.
  mutating func askToRevert() {
    open(
      Question(
        title: "Revert",
        message: "Revert all unsaved changes: \(editing.marks.description)?\n"
          + "This cannot be undone.",
        answers: [
          Question.Answer("y", "revert") { _ in [.stage(.revertAll)] },
          Question.Answer("n", "keep them") { _ in [] },
        ]))
  }

  /// Notes that everything was written.
  mutating func apply(saved report: SaveReport) -> [Effect] {
    editing.isSaving = false
    rename(report.rekeyed)
    timeline.note(report.objects, report.description)
    message = Message(text: "Saved: \(report.description).", severity: .success)
    var effects: [Effect] = []
    for entity in report.entities.sorted() where entities.beginCounting(entity) {
      effects.append(.count(entity: entity))
    }
    let written = writeSourceFiles(of: report.entities)
    if !written.isEmpty { return effects + written }
    guard editing.leavesAfterSaving else { return effects }
    return finish()
  }

  /// Follows objects that the file has given other keys.
  private mutating func rename(_ keys: [EntityIndex: [RowKey: RowKey]]) {
    guard !keys.isEmpty else { return }
    if var table, let renamed = keys[table.query.entity] {
      table.rename(renamed)
      self.table = table
    }
  }

  /// Notes that many objects were written at once.
  mutating func apply(written entity: EntityIndex, _ said: String) -> [Effect] {
    editing.isSaving = false
    editing.selection = RowSelection()
    message = Message(text: said, severity: .success)
    return (entities.beginCounting(entity) ? [.count(entity: entity)] : [])
      + writeSourceFiles(of: [entity])
  }
}

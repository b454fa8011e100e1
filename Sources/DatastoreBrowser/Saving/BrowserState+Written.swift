import DatastoreCore
import TerminalUI

/// Saving, reverting and leaving.
extension BrowserState {
  /// Starts to save the staged changes.
  mutating func save() {
    editing.isSaving = true
    request(.save)
  }

  /// Asks before all staged changes are reverted.
  mutating func askToRevert() {
    ask(
      title: "Revert",
      message: "Revert all unsaved changes: \(editing.marks.description)?\n"
        + "This cannot be undone.",
      "revert", else: "keep them"
    ) { $0.stage(.revertAll) }
  }

  /// Applies a successful save.
  mutating func apply(saved report: SaveReport) {
    editing.isSaving = false
    rename(report.rekeyed)
    timeline.record(report.objects, report.description)
    tell("Saved: \(report.description).", .success)
    for entity in report.entities.sorted() where entities.beginCounting(entity) {
      request(.count(entity: entity))
    }
    writeSourceFiles(of: report.entities)
    // If files are now being written, the browser ends after that.
    if editing.leavesAfterSaving, !editing.isSaving { finish() }
  }

  /// Follows objects whose keys were assigned or changed by the file.
  private mutating func rename(_ keys: [EntityIndex: [RowKey: RowKey]]) {
    guard !keys.isEmpty else { return }
    if var table, let renamed = keys[table.query.entity] {
      table.rename(renamed)
      self.table = table
    }
  }

  /// Applies a bulk write.
  mutating func apply(written entity: EntityIndex, _ said: String) {
    editing.isSaving = false
    editing.selection = RowSelection()
    tell(said, .success)
    if entities.beginCounting(entity) { request(.count(entity: entity)) }
    writeSourceFiles(of: [entity])
  }
}

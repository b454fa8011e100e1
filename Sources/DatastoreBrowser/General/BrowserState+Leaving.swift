import TerminalUI

extension BrowserState {
  /// Leaves the browser, or the store that is shown above another one. Asks first if changes would be lost.
  mutating func leave() {
    if isAboveAnother { return request(.leaveStore) }
    if importing.isRunning, editing.copiedFile == nil { return askToLeaveImport() }
    if !schemaEditing.edits.isEmpty { return askToLeaveSchema { $0.leave() } }
    guard !editing.marks.isEmpty || !sourceFiles.behind.isEmpty else { return finish() }
    askToLeave([
      Question.Answer("s", "save and leave") { $0.saveAndLeave() },
      Question.Answer("k", "keep for next time") { $0.request(.keepAndLeave) },
    ])
  }

  /// Leaves the browser and discards unsaved changes, after a question if there are any.
  mutating func discardAndLeave() {
    let isSaved = editing.marks.isEmpty && sourceFiles.behind.isEmpty
    guard !isSaved, !isAboveAnother, schemaEditing.edits.isEmpty else { return leave() }
    askToLeave([])
  }

  private mutating func askToLeave(_ answers: [Question.Answer]) {
    ask(
      title: "Unsaved changes",
      message: editing.marks.isEmpty
        ? "\(editing.copiedFile ?? "The file") lacks changes that were saved in the copy that is shown."
        : "There are unsaved changes: \(editing.marks.description).",
      answers: answers + [
        Question.Answer("d", "discard and leave") {
          $0.request(.dropRecovery)
          $0.finish()
        },
        Question.Answer("esc", "stay") { _ in },
      ])
  }

  /// Leaves the browser as soon as all changes are saved, and written into the source files of a copy.
  mutating func saveAndLeave() {
    guard !editing.marks.isEmpty || !sourceFiles.behind.isEmpty else { return leave() }
    if let reason = DisabledReason.cannotSave.reason(self) { return tell(reason, .warning) }
    editing.leavesAfterSaving = true
    if editing.marks.isEmpty {
      writeSourceFiles(of: [])
    } else {
      save()
    }
  }
}

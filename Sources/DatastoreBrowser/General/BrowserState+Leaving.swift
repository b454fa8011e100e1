import TerminalUI

extension BrowserState {
  /// Leaves the browser; asks first where changes would be lost.
  mutating func leave() -> [Effect] {
    if importing.isRunning, editing.copiedFile == nil { return askToLeaveImport() }
    guard !editing.marks.isEmpty else { return finish() }
    open(
      Question(
        title: "Unsaved changes",
        message: "There are unsaved changes: \(editing.marks.description).",
        answers: [
          Question.Answer("s", "save and leave") { $0.saveAndLeave() },
          Question.Answer("k", "keep for next time") { _ in [.keepAndLeave] },
          Question.Answer("d", "discard and leave") { [.dropRecovery] + $0.finish() },
          Question.Answer("esc", "stay") { _ in [] },
        ]))
    return []
  }

  /// Leaves the browser as soon as everything is saved.
  mutating func saveAndLeave() -> [Effect] {
    guard !editing.marks.isEmpty else { return leave() }
    if let reason = DisabledReason.cannotSave.reason(self) {
      message = Message(text: reason, severity: .warning)
      return []
    }
    editing.leavesAfterSaving = true
    return save()
  }
}

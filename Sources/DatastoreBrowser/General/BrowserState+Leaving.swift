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
          Question.Answer("s", "save and leave") { state in
            if let reason = DisabledReason.cannotSave.reason(state) {
              state.message = Message(text: reason, severity: .warning)
              return []
            }
            state.editing.leavesAfterSaving = true
            return state.save()
          },
          Question.Answer("k", "keep for next time") { _ in [.keepAndLeave] },
          Question.Answer("d", "discard and leave") { [.dropRecovery] + $0.finish() },
          Question.Answer("esc", "stay") { _ in [] },
        ]))
    return []
  }
}

import DatastoreCore
import TerminalUI

/// The faults and conflicts that keep changes from being saved.
extension BrowserState {
  /// Applies a failed save, which has written nothing.
  mutating func apply(_ failure: SaveFailure) {
    editing.isSaving = false
    switch failure {
    case .stopped:
      editing.leavesAfterSaving = false
      tell(
        editing.marks.isEmpty
          ? "It was stopped; nothing was written."
          : "The save was stopped; nothing was written, and the changes are kept.", .warning)
    case .refused(let reason):
      editing.leavesAfterSaving = false
      ask(
        title: "Nothing was saved", message: reason,
        answers: [Question.Answer("esc", "close") { _ in }], role: .error)
    case .invalid(let issues):
      editing.leavesAfterSaving = false
      open(issues)
    case .conflicting(let conflicts):
      open(ConflictScreen(conflicts, savesAfterwards: true))
    }
  }

  /// Shows an object in its table, and the property in the details.
  mutating func goTo(_ object: ObjectReference, slot: Slot?) {
    if var table, table.query.entity == object.entity,
      table.list.keys.firstIndex(of: object.key) != nil
    {
      table.want(object.key)
      table.findAnchor(height: tableHeight)
      self.table = table
    } else {
      follow(to: object)
    }
    focus = .table
    if let slot, let index = table?.columns.firstIndex(where: { $0.slot == slot }) {
      table?.column = index
    } else if slot != nil {
      showsDetail = true
    }
  }

  /// Settles conflicts by the user's choices, and saves again if the conflicts came from a save.
  mutating func settleConflicts() {
    guard let screen = overlay(as: ConflictScreen.self) else { return }
    guard screen.undecided == 0 else {
      return tell(
        "Choose m (mine) or t (theirs) for each property; M or T for all of them.", .warning)
    }
    closeOverlay()
    if screen.savesAfterwards { editing.isSaving = true }
    request(.settle(screen.settlements, saves: screen.savesAfterwards))
  }
}

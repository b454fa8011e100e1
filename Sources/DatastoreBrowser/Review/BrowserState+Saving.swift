import DatastoreCore
import TerminalUI

/// What keeps changes from being saved, and what is done about it.
extension BrowserState {
  /// Takes over that nothing was written.
  mutating func take(_ failure: SaveFailure) {
    editing.isSaving = false
    switch failure {
    case .stopped:
      editing.leavesAfterSaving = false
      message = Message(
        text: editing.marks.isEmpty
          ? "It was stopped; nothing was written."
          : "The saving was stopped; nothing was written, and the changes are still there.",
        role: .warning)
    case .refused(let reason):
      editing.leavesAfterSaving = false
      open(
        Question(
          title: "Nothing was saved", message: reason,
          answers: [Question.Answer("esc", "close") { _ in [] }], role: .error))
    case .invalid(let faults):
      editing.leavesAfterSaving = false
      open(IssueList(title: "Nothing was saved", faults.compactMap { issue($0) }))
    case .refusedRow(let issues):
      editing.leavesAfterSaving = false
      open(IssueList(title: "Nothing was saved", issues))
    case .conflicting(let conflicts):
      open(ConflictScreen(conflicts, savesAfterwards: true))
    }
  }

  /// Takes what the rest of the effects of editing has given.
  mutating func takeEditing(_ event: BrowserEvent) -> [Effect] {
    switch event {
    case .reviewRead(let objects):
      let state = self
      changeOverlay(as: ReviewScreen.self) { $0.take(objects, in: state) }
    case .objectsFound(let search, .success(let found)):
      changeOverlay(as: ObjectPicker.self) { $0.take(found, search: search) }
    case .objectsFound(let search, .failure(let failure)):
      changeOverlay(as: ObjectPicker.self) { $0.fail(failure.message, search: search) }
    case .editedExternally(let subject, let outcome): return take(outcome, for: subject)
    case .file(let event): return take(file: event)
    case .updatePlanned(let plan):
      guard editing.awaited == .update(plan.target) else { return [] }
      ask(plan)
      return releaseTypedAhead()
    case .written(let entity, let said): return take(written: entity, said)
    case .recoveryFound(let found): offer(found)
    case .restored(let report): take(report)
    case .keptForNextTime: return finish()
    default: break
    }
    return []
  }

  private func issue(_ fault: ValidationError.Fault) -> IssueList.Issue? {
    guard let entity = schema.entity(named: fault.entity) else { return nil }
    let reference = ObjectReference(entity: entity.index, key: fault.key)
    var text = fault.description
    // A name says more than a key.
    if case .name(let name)? = names[entity.index, fault.key] {
      text = text.replacing("\(fault.entity) \(fault.key)", with: "\(fault.entity) \(name)")
    }
    return IssueList.Issue(
      object: reference, slot: entity.slot(named: fault.property), text: text)
  }

  /// Shows an object in its table, and the property in the details.
  mutating func goTo(_ object: ObjectReference, slot: Int?) -> [Effect] {
    var effects: [Effect] = []
    if var table, table.query.entity == object.entity, table.list.keys.contains(object.key) {
      table.want(object.key)
      table.findAnchor(height: tableHeight)
      self.table = table
    } else {
      effects = follow(to: object)
    }
    focus = .table
    if let slot, let index = table?.columns.firstIndex(where: { $0.slot == slot }) {
      table?.column = index
    } else if slot != nil {
      showsDetail = true
    }
    return effects
  }

  /// Settles conflicts as they were chosen, and saves again where that is what led to them.
  mutating func settleConflicts() -> [Effect] {
    guard let screen = overlay(as: ConflictScreen.self) else { return [] }
    guard screen.undecided == 0 else {
      message = Message(
        text: "Choose m (mine) or t (theirs) for each property; M or T for all of them.",
        role: .warning)
      return []
    }
    closeOverlay()
    if screen.savesAfterwards { editing.isSaving = true }
    return [.settle(screen.settlements, saves: screen.savesAfterwards)]
  }
}

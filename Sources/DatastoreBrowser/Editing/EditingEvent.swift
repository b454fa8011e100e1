import DatastoreCore

/// The events of the editors.
enum EditingEvent: BrowserEvent {
  case editReady(EditSubject)
  case deletionPlanned([ObjectReference], DeletionForecast)
  case updatePlanned(UpdatePlan)
  /// The user's own editor has ended.
  case editedExternally(EditSubject, ExternalEditor.Outcome)

  func apply(to state: inout BrowserState) {
    switch self {
    case .editReady(let subject):
      guard state.editing.pendingAnswer == .editor(subject.target) else { return }
      state.open(subject)
      state.releaseTypedAhead()
    case .deletionPlanned(let objects, let plan):
      guard state.editing.pendingAnswer == .deletion(objects) else { return }
      state.askToDelete(objects, plan)
      state.releaseTypedAhead()
    case .updatePlanned(let plan):
      guard state.editing.pendingAnswer == .update(plan.target) else { return }
      state.ask(plan)
      state.releaseTypedAhead()
    case .editedExternally(let subject, let outcome): state.apply(outcome, for: subject)
    }
  }
}

extension Effect {
  /// Edits the value of a property in the user's own editor.
  static func editExternally(_ subject: EditSubject, _ text: String) -> Effect {
    .editExternally(
      ExternalEdit(
        text: text, suffix: subject.property.attribute?.type == .coded ? "json" : "txt",
        ended: { EditingEvent.editedExternally(subject, $0) }))
  }
}

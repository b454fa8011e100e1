import DatastoreCore

enum StagingEvent: BrowserEvent {
  /// The staged changes have changed.
  case staged(StagingMarks)
  /// A change cannot be staged, in words.
  case refused(String)
  case created(ObjectReference)
  /// A change was staged, or not, and that was reported.
  case ended

  func apply(to state: inout BrowserState) {
    switch self {
    case .staged(let marks): state.apply(marks)
    case .refused(let reason):
      // The waiting keys were for the refused change, and must not act on anything else.
      state.dropTypedAhead()
      state.tell(reason, .warning)
    case .created(let object): state.showCreated(object)
    case .ended: if state.editing.pendingAnswer == .staging { state.releaseTypedAhead() }
    }
  }
}

extension BrowserState {
  /// Puts the cursor on a new object.
  fileprivate mutating func showCreated(_ object: ObjectReference) {
    if editing.pendingAnswer == .object(isCreated: false) {
      editing.pendingAnswer = .object(isCreated: true)
    }
    guard var table, table.query.entity == object.entity else { return }
    table.want(object.key)
    self.table = table
    if table.query.filter != nil {
      tell("The new object is hidden: it does not match the filter; x clears it.", .warning)
    }
  }
}

enum StagingAction: Sendable {
  case save
  case review
  case revert
  case undo
  case redo
}

/// An overlay whose commands for staged changes act on its own changes, or on those that it shows.
protocol StagingOverlay: Overlay {
  func perform(_ action: StagingAction, _ state: inout BrowserState)
  /// Why the action is not possible now, as a sentence.
  func reasonNot(to action: StagingAction, in state: BrowserState) -> String?
}

extension BrowserState {
  /// Performs an action on staged changes: those of the topmost overlay if it is a `StagingOverlay`, or else
  /// those of objects.
  mutating func perform(
    _ action: StagingAction, else act: (inout BrowserState) -> Void
  ) {
    guard let overlay = overlays.last as? any StagingOverlay else { return act(&self) }
    overlay.perform(action, &self)
  }
}

extension DisabledReason {
  static func staging(_ action: StagingAction, else reason: DisabledReason) -> DisabledReason {
    DisabledReason { state in
      guard let overlay = state.overlays.last as? any StagingOverlay else {
        return reason.reason(state)
      }
      return overlay.reasonNot(to: action, in: state)
    }
  }
}

/// What can be done with changes that are staged.
enum StagingAction: Sendable {
  case save
  case review
  case revert
  case undo
  case redo
}

/// An overlay in which the commands for staged changes are about changes of its own, or about those that it
/// shows.
protocol StagingOverlay: Overlay {
  func perform(_ action: StagingAction, _ state: inout BrowserState)
  /// Why that cannot be done now, as a sentence.
  func reasonNot(to action: StagingAction, in state: BrowserState) -> String?
}

extension BrowserState {
  /// Does something with staged changes: those of the overlay that has the keys, else those of objects.
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

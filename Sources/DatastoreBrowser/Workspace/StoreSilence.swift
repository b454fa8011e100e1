import DatastoreCore

/// Whether the store answers, where it lies elsewhere.
struct StoreSilence: FeatureState {
  /// Whether something was asked and nothing has come for a second.
  var isSilent = false
}

extension BrowserState {
  /// Whether the store is being waited for that does not answer.
  var isStoreSilent: Bool { self[StoreSilence.self].isSilent }
}

/// The store does not answer any more, or answers again.
struct StoreAnsweringEvent: BrowserEvent {
  let isAnswering: Bool

  func apply(to state: inout BrowserState) {
    guard state.isStoreSilent == isAnswering else { return }
    state[StoreSilence.self].isSilent = !isAnswering
    state.message =
      isAnswering
      ? BrowserState.Message(text: "The other end answers again.", severity: .information)
      : BrowserState.Message(
        text: "The other end does not answer; what was read stays, staged changes are kept.",
        severity: .warning)
  }
}

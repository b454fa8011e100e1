import DatastoreCore

/// Whether the store answers, where it lies elsewhere.
struct StoreSilence: FeatureState {
  /// Whether something was asked and nothing has come for a second.
  var isSilent = false
}

extension BrowserState {
  /// Whether the store is being waited for that does not answer.
  var isStoreSilent: Bool { self[StoreSilence.self].isSilent }

  /// Called when the store does not answer any more, or answers again.
  mutating func storeAnswers(_ isAnswering: Bool) {
    guard isStoreSilent == isAnswering else { return }
    self[StoreSilence.self].isSilent = !isAnswering
    tell(
      isAnswering
        ? "The other end answers again."
        : "The other end does not answer; what was read stays, staged changes are kept.",
      isAnswering ? .information : .warning)
  }
}

import DatastoreCore

/// The baseline that the file is compared with to find what has changed.
enum ChangesState: FeatureState {
  /// The baseline has not been read yet.
  case none
  case reading
  /// The rows of the baseline.
  case kept(any StoreBaseline)
  /// The baseline could not be kept.
  case failed(EffectFailure)

  init() { self = .none }
}

extension ChangesState {
  /// The state after the file is opened again, which ends a read of the baseline.
  var afterReopening: ChangesState {
    if case .reading = self { return .none }
    return self
  }
}

extension BrowserState {
  var changes: ChangesState {
    get { self[ChangesState.self] }
    _modify { yield &self[ChangesState.self] }
  }

  /// Starts to keep the current rows as the baseline, unless there is one. If the shown rows are still being
  /// copied from files, waits for all of them.
  mutating func keepBaseline() {
    guard case .none = changes, table != nil, !isFinished,
      editing.copiedFile == nil || !importing.isRunning
    else { return }
    changes = .reading
    request(.keepBaseline)
  }
}

import DatastoreCore

/// What the file is compared with to say what has changed.
enum ChangesState: FeatureState {
  /// Reading it has not begun.
  case none
  case reading
  /// The rows as they were.
  case kept(any StoreBaseline)
  /// They could not be kept.
  case failed(EffectFailure)

  init() { self = .none }
}

extension ChangesState {
  /// What of it outlives that the file is opened again: reading ends with the opening.
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

  /// Begins to keep the rows as they are now, unless that is done. Of a file whose rows are being copied to
  /// be shown, all of them are waited for.
  mutating func keepBaseline() {
    guard case .none = changes, table != nil, !isFinished,
      editing.copiedFile == nil || !importing.isRunning
    else { return }
    changes = .reading
    request(.keepBaseline)
  }
}

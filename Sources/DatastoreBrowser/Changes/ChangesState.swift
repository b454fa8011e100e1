import DatastoreCore

/// What the file is compared with to say what has changed.
enum ChangesState: FeatureState {
  /// Nobody has begun to read it.
  case none
  case reading
  /// The rows as they were.
  case kept(any StoreBaseline)
  /// They could not be kept.
  case failed(EffectFailure)

  init() { self = .none }
}

extension BrowserState {
  var changes: ChangesState {
    get { self[ChangesState.self] }
    _modify { yield &self[ChangesState.self] }
  }

  /// Begins to keep the rows as they are now, unless those of an opening before are kept.
  mutating func keepBaseline() -> [Effect] {
    if case .kept = changes { return [] }
    changes = .reading
    return [.keepBaseline]
  }
}

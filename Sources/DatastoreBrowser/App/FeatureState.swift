/// The state of a feature between events.
///
/// A feature gives access to it by an extension of `BrowserState` in its own folder:
///
/// ```swift
/// extension BrowserState {
///   var macro: MacroState {
///     get { self[MacroState.self] }
///     _modify { yield &self[MacroState.self] }
///   }
/// }
/// ```
protocol FeatureState: Sendable {
  /// Creates the initial state.
  init()
}

/// The states of all features, one of each kind.
struct FeatureStates: Sendable {
  private var states: [ObjectIdentifier: any FeatureState] = [:]

  subscript<State: FeatureState>(_ type: State.Type) -> State {
    get { states[ObjectIdentifier(type)] as? State ?? State() }
    _modify {
      // Moved out of the dictionary, so that a change copies nothing.
      let key = ObjectIdentifier(type)
      var state = states.removeValue(forKey: key) as? State ?? State()
      defer { states[key] = state }
      yield &state
    }
  }
}

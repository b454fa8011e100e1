/// What a feature keeps between the things that happen.
///
/// A feature makes it known to the rest by an extension of `BrowserState` in its own folder:
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
  /// What it is when the browser begins.
  init()
}

/// The states of all features, one of each kind.
struct FeatureStates: Sendable {
  private var states: [ObjectIdentifier: any FeatureState] = [:]

  subscript<State: FeatureState>(_ type: State.Type) -> State {
    get { states[ObjectIdentifier(type)] as? State ?? State() }
    _modify {
      // Taken out, so that changing it copies nothing.
      let key = ObjectIdentifier(type)
      var state = states.removeValue(forKey: key) as? State ?? State()
      defer { states[key] = state }
      yield &state
    }
  }
}

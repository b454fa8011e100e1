/// Something that has happened to the browser: what the user does, and the results of effects.
///
/// A feature declares its events in its own folder, with what they change. Results carry the number
/// of the request that they answer, so that those of an older one are ignored.
protocol BrowserEvent: Sendable {
  /// Changes the state, and requests what has to be done about it.
  func apply(to state: inout BrowserState)

  /// Whether it can change what is on the screen; asked before it is applied.
  func isSeen(in state: BrowserState) -> Bool

  /// Whether it changes nothing but what the detail pane shows.
  var isOfDetail: Bool { get }
}

extension BrowserEvent {
  func isSeen(in state: BrowserState) -> Bool { true }
  var isOfDetail: Bool { false }
}

/// Something failed that no other event reports.
struct ErrorReport: BrowserEvent {
  let sentence: String

  init(_ sentence: String) {
    self.sentence = sentence
  }

  func apply(to state: inout BrowserState) {
    state.message = BrowserState.Message(text: sentence, severity: .error)
  }
}

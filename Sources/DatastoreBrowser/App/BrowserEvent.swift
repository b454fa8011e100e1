/// An event of the browser: an action of the user, or the result of an effect.
///
/// A feature declares its events in its own folder, with the changes that they make. Results carry the number
/// of their request, so that the results of an older request are ignored.
protocol BrowserEvent: Sendable {
  /// Changes the state and requests the effects that follow from the event.
  func apply(to state: inout BrowserState)

  /// Whether the event can change the screen; called before it is applied.
  func isSeen(in state: BrowserState) -> Bool

  /// Whether the event changes nothing but the detail pane.
  var isOfDetail: Bool { get }
}

extension BrowserEvent {
  func isSeen(in state: BrowserState) -> Bool { true }
  var isOfDetail: Bool { false }
}

/// An event that is only the change that it makes.
struct StateChange: BrowserEvent {
  private let change: @Sendable (inout BrowserState) -> Void

  init(_ change: @escaping @Sendable (inout BrowserState) -> Void) {
    self.change = change
  }

  func apply(to state: inout BrowserState) { change(&state) }
}

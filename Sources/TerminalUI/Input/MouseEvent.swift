/// A mouse action over a cell.
package struct MouseEvent: Hashable, Sendable {
  package enum Button: Hashable, Sendable {
    case left
    case middle
    case right
  }

  package enum Action: Hashable, Sendable {
    /// A button went down; `clicks` is 2 for the second press of a double click.
    case press(Button, clicks: Int)
    /// A button came up.
    case release(Button)
    /// The wheel turned one notch away from the user.
    case wheelUp
    /// The wheel turned one notch towards the user.
    case wheelDown
  }

  package var action: Action
  /// The cell under the pointer.
  package var position: Position
  /// The keys held down meanwhile.
  package var modifiers: KeyModifiers

  package init(_ action: Action, at position: Position, modifiers: KeyModifiers = []) {
    self.action = action
    self.position = position
    self.modifiers = modifiers
  }
}

/// Counts clicks to detect double clicks. Curses could, but only by holding back every press.
struct ClickCounter {
  private var last: (button: MouseEvent.Button, position: Position, time: Duration, clicks: Int)?

  /// The number of presses, 1 or 2, that this press completes. `time` is from any fixed start.
  mutating func press(
    _ button: MouseEvent.Button, at position: Position, time: Duration
  ) -> Int {
    var clicks = 1
    if let last, last.button == button, last.position == position, last.clicks == 1,
      time - last.time <= .milliseconds(400)
    {
      clicks = 2
    }
    last = (button, position, time, clicks)
    return clicks
  }
}

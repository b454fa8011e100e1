/// Something done with the mouse over a cell.
package struct MouseEvent: Hashable, Sendable {
  /// A mouse button.
  package enum Button: Hashable, Sendable {
    case left
    case middle
    case right
  }

  /// What was done.
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

  /// What was done.
  package var action: Action
  /// The cell under the pointer.
  package var position: Position
  /// The keys held down meanwhile.
  package var modifiers: KeyModifiers

  /// Makes a mouse event.
  package init(_ action: Action, at position: Position, modifiers: KeyModifiers = []) {
    self.action = action
    self.position = position
    self.modifiers = modifiers
  }
}

import TerminalUI

/// What lies over the panels and takes the keys: a screen, a form, a list to pick from, a question.
///
/// Overlays form a stack; the topmost one takes keys, text and the mouse, and all are drawn from
/// the lowest to the topmost. Like the whole state an overlay is a value: what is slow it requests of
/// the state, and the result comes back to it through `BrowserState.changeOverlay(as:_:)`.
///
/// A key goes to the command that `scope` has for it, and only when there is none to `press`.
/// `state` is the whole browser, the overlay itself among its overlays as it was before the call;
/// it closes itself with `state.closeOverlay()`.
protocol Overlay: Sendable {
  /// Where its commands are found.
  var scope: CommandScope { get }

  /// Handles a key that is not a command's: a character of a text, say.
  mutating func press(_ key: Key, in state: inout BrowserState)
  /// Handles pasted text.
  mutating func paste(_ text: String, in state: inout BrowserState)
  /// Moves its cursor, or scrolls.
  mutating func move(_ movement: Movement, in state: inout BrowserState)
  /// Scrolls by lines of the mouse wheel.
  mutating func wheel(_ lines: Int, at position: Position, in state: inout BrowserState)
  /// Handles a click; one outside of what it covers usually closes it.
  mutating func click(
    at position: Position, clicks: Int, in state: inout BrowserState
  )
  /// Fits itself into a terminal of another size.
  mutating func resize(in state: BrowserState)
  /// Something else is staged than before.
  mutating func stagingChanged()
  /// Anything in the store may be otherwise now.
  mutating func storeChanged()
  /// Whether it shows nothing of entities and rows, so that it may stay when the tables change.
  var survivesNewTables: Bool { get }
  /// Requests what it lacks as it is now; called after every event, when it is the topmost one.
  mutating func requestMissing(in state: inout BrowserState)

  // What its commands do. The overlay is the topmost one of `state`, in which it is changed.

  /// Takes the line under the cursor, or what was typed.
  func accept(_ state: inout BrowserState)
  /// Leaves it, and does not do what it was opened for.
  func dismiss(_ state: inout BrowserState)
  /// Completes what is typed at the cursor.
  func complete(_ state: inout BrowserState)
  /// Switches the line under the cursor on or off.
  func toggle(_ state: inout BrowserState)
  /// Deletes what the user has saved under that name, when it is asked for twice.
  func deleteSaved(_ state: inout BrowserState)
  /// Shows the same in another form.
  func changeForm(_ state: inout BrowserState)
  /// Goes to another column, or scrolls sideways.
  func moveColumn(_ movement: ColumnMovement, _ state: inout BrowserState)
  /// Goes to the next part, or to the one before.
  func moveSection(by step: Int, _ state: inout BrowserState)

  /// Draws itself over what is there and returns where the terminal's cursor belongs; nil hides it.
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position?
}

/// What most overlays leave out.
extension Overlay {
  mutating func press(_ key: Key, in state: inout BrowserState) {
    state.sayNothingHappens(KeySequence([key]))
  }

  mutating func paste(_ text: String, in state: inout BrowserState) {}
  mutating func move(_ movement: Movement, in state: inout BrowserState) {}
  mutating func wheel(_ lines: Int, at position: Position, in state: inout BrowserState) {}
  mutating func click(at position: Position, clicks: Int, in state: inout BrowserState) {}
  mutating func resize(in state: BrowserState) {}
  mutating func stagingChanged() {}
  mutating func storeChanged() {}
  var survivesNewTables: Bool { false }
  mutating func requestMissing(in state: inout BrowserState) {}

  func accept(_ state: inout BrowserState) {}
  func dismiss(_ state: inout BrowserState) { state.closeOverlay() }
  func complete(_ state: inout BrowserState) {}
  func toggle(_ state: inout BrowserState) {}
  func deleteSaved(_ state: inout BrowserState) {}
  func changeForm(_ state: inout BrowserState) {}
  func moveColumn(_ movement: ColumnMovement, _ state: inout BrowserState) {}
  func moveSection(by step: Int, _ state: inout BrowserState) {}
}

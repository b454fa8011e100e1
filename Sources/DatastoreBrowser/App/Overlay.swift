import TerminalUI

/// A part of the screen over the panels that receives the keys: a screen, a form, a pick list, a question.
///
/// Overlays form a stack. The topmost one receives keys, text and the mouse; all are drawn from the lowest to
/// the topmost. Like the whole state, an overlay is a value: it requests slow work through the state, and
/// gets the result through `BrowserState.changeOverlay(as:_:)`.
///
/// A key runs the command that `scope` has for it; only a key without a command goes to `press`. `state` is
/// the whole browser; its overlays contain this one as it was before the call. An overlay closes itself with
/// `state.closeOverlay()`.
protocol Overlay: Sendable {
  /// The scope of its commands.
  static var scope: CommandScope { get }
  /// The current one, if it has several.
  var scope: CommandScope { get }

  /// Handles a key without a command, such as a character of a text.
  mutating func press(_ key: Key, in state: inout BrowserState)
  /// Handles pasted text.
  mutating func paste(_ text: String, in state: inout BrowserState)
  /// Moves the cursor, or scrolls.
  mutating func move(_ movement: Movement, in state: inout BrowserState)
  /// Scrolls by lines of the mouse wheel.
  mutating func wheel(_ lines: Int, at position: Position, in state: inout BrowserState)
  /// Handles a click; a click outside of the overlay usually closes it.
  mutating func click(
    at position: Position, clicks: Int, in state: inout BrowserState
  )
  /// Fits the overlay to a new size of the terminal.
  mutating func resize(in state: BrowserState)
  /// Called after the staged changes have changed.
  mutating func stagingChanged()
  /// Called after anything in the store may have changed.
  mutating func storeChanged()
  /// Whether the overlay shows nothing of entities and rows, so that it may stay when the tables change.
  var survivesNewTables: Bool { get }
  /// Requests missing data; called after every event while the overlay is topmost.
  mutating func requestMissing(in state: inout BrowserState)

  // The actions of its commands. The overlay is the topmost one of `state` and is changed there.

  /// Accepts the line under the cursor, or the typed text.
  func accept(_ state: inout BrowserState)
  /// Closes the overlay without the action it was opened for.
  func dismiss(_ state: inout BrowserState)
  /// Completes the typed text at the cursor.
  func complete(_ state: inout BrowserState)
  /// Switches the line under the cursor on or off.
  func toggle(_ state: inout BrowserState)
  /// Deletes the saved item under the cursor, on the second request.
  func deleteSaved(_ state: inout BrowserState)
  /// Shows the content in another form.
  func changeForm(_ state: inout BrowserState)
  /// Moves to another column, or scrolls sideways.
  func moveColumn(_ movement: ColumnMovement, _ state: inout BrowserState)
  /// Moves to the next section, or to the previous one.
  func moveSection(by step: Int, _ state: inout BrowserState)

  /// Draws the overlay and returns the position of the terminal's cursor; nil hides it.
  func draw(into buffer: inout ScreenBuffer, in state: BrowserState) -> Position?
}

/// Defaults for most overlays.
extension Overlay {
  var scope: CommandScope { Self.scope }

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

/// A screen with a keyboard: the only connection of an application to its user.
///
/// Runs on the main actor throughout; events are delivered there too, one at a time.
@MainActor
package protocol Terminal: AnyObject {
  /// The current size of the screen; zero before `start()`.
  var size: Size { get }
  /// The shapes that the screen can show; give it to every `ScreenBuffer` drawn here.
  var glyphs: GlyphSet { get }
  /// Sentences for the user about requests of the environment that could not be met, such as a locale that is
  /// not installed. Known after `start()`.
  var notices: [String] { get }
  /// The styles of the roles. Setting it repaints the last drawn buffer.
  var theme: Theme { get set }
  /// Receives every event. Set it before `start()`.
  var onEvent: (@MainActor (InputEvent) -> Void)? { get set }

  /// Called when all waiting input has been delivered: the time to draw its changes, once for all of it. Set
  /// it before `start()`.
  var onInputTaken: (@MainActor () -> Void)? { get set }

  /// Takes the screen and begins to deliver events.
  ///
  /// Throws `TerminalError` when there is no usable terminal.
  func start() throws
  /// Restores the screen as it was. May be called at any time and any number of times.
  func stop()
  /// Gives the screen to the shell and stops the process until it is continued, as Ctrl-Z does.
  func suspend()
  /// Writes the whole last drawn buffer again: another program may have written on the screen.
  func redraw()
  /// Gives the screen to another program, waits for its end, and takes the screen again. Returns the exit
  /// status of the program, or 128 plus the number of the signal that ended it.
  ///
  /// The main actor is blocked meanwhile: nothing else reads what is typed. Throws `TerminalError` if the
  /// program cannot be started.
  func run(_ command: [String]) throws -> Int32
  /// Puts a text on the clipboard of the machine that shows the terminal, if the terminal allows it;
  /// at most `ClipboardSequence.mostBytes`.
  func copy(_ text: String)
  /// A sentence about the settings that `copy` requires; nil if it requires none.
  var clipboardHint: String? { get }
  /// Speaks to a screen reader, below the text before. The texts contain nothing that a terminal obeys.
  /// Painted terminals say nothing.
  func say(_ spoken: [SpokenText])
  /// Shows a buffer. Only the cells that differ from the last one are sent. A nil cursor hides it.
  func draw(_ buffer: ScreenBuffer, cursor: Position?)
}

extension Terminal {
  package var notices: [String] { [] }
  package func say(_ spoken: [SpokenText]) {}
}

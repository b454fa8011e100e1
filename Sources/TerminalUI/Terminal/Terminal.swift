/// A screen with a keyboard: the only way by which an application meets the outside.
///
/// Runs on the main actor throughout; events are delivered there too, one at a time.
@MainActor
package protocol Terminal: AnyObject {
  /// The present extent of the screen; zero before `start()`.
  var size: Size { get }
  /// The shapes that the screen can show; give it to every `ScreenBuffer` drawn here.
  var glyphs: GlyphSet { get }
  /// The colours that the screen can show.
  var colorDepth: ColorDepth { get }
  /// What is not as the environment asks for, such as a locale that is not installed, as sentences for the
  /// user. Known after `start()`.
  var notices: [String] { get }
  /// The look of the roles. Setting it repaints the last drawn buffer.
  var theme: Theme { get set }
  /// Receives every event. Set it before `start()`.
  var onEvent: (@MainActor (InputEvent) -> Void)? { get set }

  /// Called when all input that had come has been delivered: what it has changed is best drawn now, once
  /// for all of it. Set it before `start()`.
  var onInputTaken: (@MainActor () -> Void)? { get set }

  /// Takes the screen and begins to deliver events.
  ///
  /// Throws `TerminalError` when there is no usable terminal.
  func start() throws
  /// Restores the screen as it was. May be called at any time and any number of times.
  func stop()
  /// Gives the screen to the shell and stops the process until it is continued, as Ctrl-Z does.
  func suspend()
  /// Writes the last drawn buffer again, whole: another program may have written on the screen.
  func redraw()
  /// Gives the screen to another program, waits for its end, and takes the screen again. Returns its
  /// exit status; 128 and the number of the signal when one has ended it.
  ///
  /// The main actor waits meanwhile: nothing else reads what is typed. Throws `TerminalError` when the
  /// program cannot be started.
  func run(_ command: [String]) throws -> Int32
  /// Puts a text on the clipboard of the machine that shows the terminal, if the terminal allows it;
  /// at most `ClipboardSequence.mostBytes`.
  func copy(_ text: String)
  /// What the user must have set up for `copy`, as a sentence; nil for nothing.
  var clipboardHint: String? { get }
  /// Says something to a screen reader, below what was said before. The texts hold nothing that a
  /// terminal could obey. Terminals that are painted say nothing.
  func say(_ spoken: [SpokenText])
  /// Shows a buffer. Only what differs from the last one is sent. A nil cursor hides it.
  func draw(_ buffer: ScreenBuffer, cursor: Position?)
}

extension Terminal {
  package var notices: [String] { [] }
  package func say(_ spoken: [SpokenText]) {}
}

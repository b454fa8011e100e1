/// An event from the terminal.
package enum InputEvent: Hashable, Sendable {
  case key(Key)
  /// Text pasted in one piece. It may hold newlines and control characters; it is never keys.
  case paste(String)
  case mouse(MouseEvent)
  /// The size of the screen has changed; draw again.
  case resize(Size)
  /// The process is about to stop; the shell already has the terminal.
  case suspended
  /// The process runs in the foreground again; draw again.
  case resumed
  /// The terminal is gone and can show nothing. Save what must be saved and end.
  case closed
  /// The process was asked to end by this signal (SIGTERM or SIGINT). The terminal is already restored.
  case terminate(signal: Int32)
}

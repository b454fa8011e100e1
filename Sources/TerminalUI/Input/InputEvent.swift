/// An event from the terminal.
package enum InputEvent: Hashable, Sendable {
  case key(Key)
  /// Text pasted in one piece. It may hold newlines and control characters; it is never keys.
  case paste(String)
  case mouse(MouseEvent)
  /// The screen has another size now; draw again.
  case resize(Size)
  /// The process is about to stop; the terminal is already given back to the shell.
  case suspended
  /// The process runs in the foreground again; draw again.
  case resumed
  /// The terminal is gone. Nothing can be shown any more; save what must be saved and end.
  case closed
  /// The process was asked to end by this signal (SIGTERM or SIGINT). The terminal is already restored.
  case terminate(signal: Int32)
}

/// Why the screen cannot be used.
package enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The named stream (`standard input` or `standard output`) is not a terminal.
  case notATerminal(stream: String)
  /// `TERM` is unset or names a type that the terminfo database does not know.
  case unknownType(String)
  /// The terminal of this type cannot place its cursor.
  case noCursorAddressing(String)
  /// Another program could not be started on the terminal.
  case cannotRun(program: String, reason: String)

  /// A sentence that says what is wrong and what to do.
  package var description: String {
    switch self {
    case .notATerminal(let stream):
      "The \(stream) is not a terminal, so there is no screen to draw on. Run the program in a "
        + "terminal, without redirection."
    case .unknownType(""):
      "The environment variable TERM is not set, so the kind of terminal is unknown. Set it, "
        + "for example: export TERM=xterm-256color"
    case .unknownType(let type):
      "The terminal type \"\(type)\" (environment variable TERM) is not known on this system. "
        + "Install its terminfo entry or set another type, for example: "
        + "export TERM=xterm-256color"
    case .cannotRun(let program, let reason):
      "\(program) could not be started: \(reason)."
    case .noCursorAddressing(let type):
      "A terminal of type \"\(type)\" (environment variable TERM) cannot place text on the "
        + "screen. Run the program in a full terminal, or set TERM to what it really is."
    }
  }
}

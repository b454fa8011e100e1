/// Why the screen cannot be used.
package enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The named stream (`standard input` or `standard output`) is not a terminal.
  case notATerminal(stream: String)
  /// `TERM` is unset or names a type that the terminfo database does not know, and it does not know the usual
  /// one either.
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
    case .unknownType(let type):
      (type.isEmpty
        ? "The environment variable TERM is not set"
        : "The terminal type \"\(type)\" (environment variable TERM) is not known on this system")
        + ", nor is xterm-256color. Install the terminfo database (the package ncurses-base or "
        + "ncurses-terminfo-base), or set TERM to a type that is known."
    case .cannotRun(let program, let reason):
      "\(program) could not be started: \(reason)."
    case .noCursorAddressing(let type):
      "A terminal of type \"\(type)\" (environment variable TERM) cannot place text on the "
        + "screen. Run the program in a full terminal, or set TERM to its real type."
    }
  }
}

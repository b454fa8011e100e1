/// The exit statuses of the program, for scripts: the numbers of BSD's sysexits.h.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case skipped = 1
  case losses = 2
  case irregular = 3
  case usage = 64
  case badData = 65
  case noInput = 66
  case unavailable = 69
  case internalError = 70
  case cannotCreate = 73
  case inputOutput = 74
  case temporary = 75
  case noPermission = 77
  case configuration = 78
  case hungUp = 129
  case interrupted = 130
  case terminated = 143

  /// The meaning of the status, for `--help`.
  var meaning: String {
    switch self {
    case .success: "Everything was done."
    case .skipped:
      "Loaded or queried, but invalid records or references were left out; two schemas differ; a "
        + "migration is needed that loses nothing; a step of a session was not done; something about "
        + "a file needs attention."
    case .losses: "A migration is needed that would lose something, or is impossible."
    case .irregular:
      "All rows were written, but records of a file are irregular, and were read as well as they can be."
    case .usage: "The arguments are wrong."
    case .badData:
      "A file to load is malformed; a file cannot be read as a database, or is damaged."
    case .noInput: "A file does not exist or cannot be read."
    case .unavailable: "There is no terminal, or it cannot be used; a server cannot be reached."
    case .internalError: "An internal error; please report it."
    case .cannotCreate: "A file could not be created or written."
    case .inputOutput: "Reading or writing failed, or the disk is full."
    case .temporary: "A file is locked by another process; try again later."
    case .noPermission: "You do not have permission to open the file."
    case .configuration: "A manifest, a theme or the configuration is invalid."
    case .hungUp: "Ended because the terminal was closed."
    case .interrupted: "Ended by Ctrl-C; nothing was loaded or written."
    case .terminated: "Ended by a request to stop (SIGTERM)."
    }
  }

  static var documentation: String {
    let lines = allCases.map { status in
      let number = String(status.rawValue)
      return "  " + number + String(repeating: " ", count: 6 - number.count) + status.meaning
    }
    return "Exit codes:\n" + lines.joined(separator: "\n")
  }
}

internal import Basics
internal import Glibc

/// Another program that has the terminal for a while, such as an editor.
enum ForegroundProgram {
  /// Runs a program to its end on the calling thread. Returns its exit status, or 128 plus the number of the
  /// signal that ended it.
  ///
  /// While the program runs, it handles the signals of the terminal. When it is stopped, this process stops
  /// too, so that the shell's `fg` continues both.
  ///
  /// - Throws: `TerminalError.cannotRun`.
  static func run(_ command: [String]) throws -> Int32 {
    guard let program = command.first else { return 0 }
    let child: pid_t
    do throws(SpawnFailure) {
      child = try startProgram(command)
    } catch {
      throw TerminalError.cannotRun(program: program, reason: error.reason)
    }
    return wait(for: child)
  }

  private static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while true {
      guard waitpid(child, &status, WUNTRACED) >= 0 else {
        if errno == EINTR { continue }
        return 0
      }
      // The macros of <sys/wait.h>, which Swift does not import.
      if status & 0xFF == 0x7F {
        kill(getpid(), SIGSTOP)
        kill(child, SIGCONT)
        continue
      }
      let signal = status & 0x7F
      return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
  }
}

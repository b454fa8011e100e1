internal import Foundation
internal import Glibc

/// Another program that has the terminal for a while: an editor, say.
enum ForegroundProgram {
  /// Runs a program to its end on the calling thread and returns its exit status, 128 and the number
  /// of the signal when one has ended it.
  ///
  /// While it runs, the signals that a terminal sends are its own business; when it is stopped, this
  /// process stops too, so that the shell's `fg` continues both.
  ///
  /// - Throws: `TerminalError.cannotRun`.
  static func run(_ command: [String]) throws -> Int32 {
    guard let program = command.first else { return 0 }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var standard = sigset_t()
    sigemptyset(&standard)
    // What Dispatch blocks or catches here must not be blocked or ignored there.
    posix_spawnattr_setsigmask(&attributes, &standard)
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGWINCH] {
      sigaddset(&standard, number)
    }
    posix_spawnattr_setsigdefault(&attributes, &standard)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var variables: [UnsafeMutablePointer<CChar>?] = ProcessInfo.processInfo.environment.map {
      strdup("\($0.key)=\($0.value)")
    }
    defer { for variable in variables { free(variable) } }
    variables.append(nil)
    var child: pid_t = 0
    let failure = posix_spawnp(&child, program, nil, &attributes, arguments, variables)
    guard failure == 0 else {
      throw TerminalError.cannotRun(program: program, reason: String(cString: strerror(failure)))
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

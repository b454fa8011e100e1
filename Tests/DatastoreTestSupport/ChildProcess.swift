package import Foundation

/// A program that runs beside the tests, with an unblocked set of signals.
///
/// Not `Foundation.Process`: that hands on the signal mask of the thread that starts it, and the threads of
/// Dispatch block nearly all, so that a shell waits for ever for a child that has ended already. It also
/// waits until every process that inherited its pipes has ended (the server that tmux leaves behind never
/// does), and has crashed in tests of many threads.
package final class ChildProcess: Sendable {
  package let id: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: the program's file.
  ///   - directory: where it works; the present directory without it.
  ///   - input: the descriptor that it reads as its standard input; without it there is none.
  /// - Throws: `POSIXError`.
  package init(
    _ path: String, _ arguments: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment, directory: URL? = nil,
    input: Int32? = nil, output: URL, errors: URL = URL(fileURLWithPath: "/dev/null")
  ) throws {
    id = try Self.start([path] + arguments, environment: environment, directory: directory) {
      actions in
      if let input {
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
      } else {
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      }
      for (descriptor, file) in [(STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
        posix_spawn_file_actions_addopen(
          &actions, descriptor, file.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      }
    }
  }

  /// Starts a program with no signal blocked or ignored, and returns its number.
  ///
  /// - Parameters:
  ///   - words: the program's file and its arguments.
  ///   - isSessionLeader: whether it has a session of its own, of which the first terminal that it opens is
  ///     the controlling one.
  ///   - redirect: says what its standard streams are.
  /// - Throws: `POSIXError`.
  package static func start(
    _ words: [String], environment: [String: String], directory: URL?,
    isSessionLeader: Bool = false, _ redirect: (inout posix_spawn_file_actions_t) -> Void
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    redirect(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // POSIX_SPAWN_SETSID, which not every version of the C library's headers shows to Swift.
    let session: Int32 = isSessionLeader ? 0x80 : 0
    posix_spawnattr_setflags(
      &attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | session))
    // The function that changes the directory on the way is not among those that Swift imports; `env` becomes
    // the program and keeps its number.
    let command = (directory.map { ["/usr/bin/env", "-C", $0.path] } ?? []) + words
    var argv = command.map { strdup($0) }
    var envp = environment.map { strdup("\($0)=\($1)") }
    defer { for pointer in argv + envp { free(pointer) } }
    argv.append(nil)
    envp.append(nil)
    var process: pid_t = 0
    let error = posix_spawn(&process, command[0], &actions, &attributes, argv, envp)
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
    return process
  }

  /// Waits for its end on the calling thread; to be called once. Returns its status, or the number of the
  /// signal that has ended it.
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      precondition(errno == EINTR, "a child process can be waited for once")
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : signal
  }

  /// The same on a thread of its own.
  package func ended() async -> Int32 {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.wait()) }
    }
  }
}

/// Runs a program to its end and returns its status; its standard output and errors go to files.
///
/// - Throws: `POSIXError` when it cannot be started.
package func spawn(
  _ path: String, _ arguments: [String],
  environment: [String: String] = ProcessInfo.processInfo.environment,
  output: URL, errors: URL = URL(fileURLWithPath: "/dev/null")
) throws -> Int32 {
  try ChildProcess(path, arguments, environment: environment, output: output, errors: errors)
    .wait()
}

import Basics
package import Foundation

/// A program that runs beside the tests.
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
    // The function that changes the directory on the way is not among those that Swift imports; `env` becomes
    // the program and keeps its number.
    let command = (directory.map { ["/usr/bin/env", "-C", $0.path] } ?? []) + words
    do throws(SpawnFailure) {
      return try startProgram(
        command, environment: environment, isSessionLeader: isSessionLeader, redirect)
    } catch {
      throw POSIXError(POSIXErrorCode(rawValue: error.code) ?? .EIO)
    }
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

/// Makes a script, which another process writes: while any process has it open for writing, as one that is
/// started meanwhile by another test would, it cannot be run (“Text file busy”).
///
/// - Throws: `POSIXError`; what the text cannot be written for.
package func install(script text: String, at url: URL) throws {
  let source = url.appendingPathExtension("txt")
  try text.write(to: source, atomically: true, encoding: .utf8)
  let status = try spawn(
    "/usr/bin/install", ["-m", "700", source.path, url.path],
    output: URL(fileURLWithPath: "/dev/null"))
  guard status == 0 else { throw POSIXError(.EACCES) }
}

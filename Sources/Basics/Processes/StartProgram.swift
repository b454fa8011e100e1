package import Foundation

/// A program that could not be started.
package struct SpawnFailure: Error {
  /// The error number, as in `errno`.
  package let code: Int32

  /// The system's description of the error.
  package var reason: String { String(cString: strerror(code)) }
}

/// Starts a program with no signal blocked or ignored, and returns its process id, which the caller passes to
/// `waitpid` once.
///
/// Not `Foundation.Process`: that passes on the signal mask of the thread that starts it, and the threads of
/// Dispatch block nearly all signals, so a shell waits for ever for a child that has already ended. It also
/// waits until every process that inherited its pipes has ended, and has crashed among many threads.
///
/// - Parameters:
///   - words: the program, searched for in `PATH` unless it has a slash, and its arguments.
///   - isSessionLeader: whether the program gets its own session, whose controlling terminal is the first
///     terminal that it opens.
///   - redirect: sets up its standard streams; without it the program inherits those of this process.
/// - Throws: `SpawnFailure`.
package func startProgram(
  _ words: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
  isSessionLeader: Bool = false, _ redirect: (inout posix_spawn_file_actions_t) -> Void = { _ in }
) throws(SpawnFailure) -> pid_t {
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
  // `POSIX_SPAWN_SETSID`, which not every version of the C library's headers exports to Swift.
  let session: Int32 = isSessionLeader ? 0x80 : 0
  posix_spawnattr_setflags(
    &attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | session))
  var argv = words.map { strdup($0) }
  var envp = environment.map { strdup("\($0)=\($1)") }
  defer { for pointer in argv + envp { free(pointer) } }
  argv.append(nil)
  envp.append(nil)
  var process: pid_t = 0
  let code = posix_spawnp(&process, words[0], &actions, &attributes, argv, envp)
  guard code == 0 else { throw SpawnFailure(code: code) }
  return process
}

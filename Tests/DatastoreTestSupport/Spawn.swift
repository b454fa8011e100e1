package import Foundation

/// Runs a program to its end and returns its status; its standard output and errors go to files.
///
/// Not `Foundation.Process`, which waits until every process that inherited its pipes has ended (the
/// server that tmux leaves behind never does), and which has crashed in tests of many threads.
package func spawn(
  _ path: String, _ arguments: [String],
  environment: [String: String] = ProcessInfo.processInfo.environment,
  output: URL, errors: URL = URL(fileURLWithPath: "/dev/null")
) throws -> Int32 {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
  for (descriptor, file) in [(STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
    posix_spawn_file_actions_addopen(
      &actions, descriptor, file.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  }
  var argv = ([path] + arguments).map { strdup($0) }
  var envp = environment.map { strdup("\($0)=\($1)") }
  defer { for pointer in argv + envp { free(pointer) } }
  argv.append(nil)
  envp.append(nil)
  var process: pid_t = 0
  let error = posix_spawn(&process, path, &actions, nil, argv, envp)
  guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
  var status: Int32 = 0
  while waitpid(process, &status, 0) < 0 {
    guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
  return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
}

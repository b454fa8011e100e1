import Foundation

/// A pooler of the tests' own before a server: it lends sessions for a transaction at a time.
///
/// As with `PostgreSQLServer`, a shell ends it when this process does, however that ends.
package final class Pooler: Sendable {
  private static let program = "/usr/sbin/pgbouncer"

  /// Whether it can be tested with.
  package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// The directory of its socket.
  package let directory: String
  private let guardian: pid_t
  private let input: Int32

  /// Starts the pooler, and waits until it answers.
  ///
  /// - Parameter settings: lines of its configuration.
  /// - Throws: `POSIXError` with its output if it does not start.
  package init(to server: PostgreSQLServer, settings: [String] = []) throws {
    var template = Array("/tmp/datastore-pb-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
    let directory = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    self.directory = directory
    let configuration = """
      [databases]
      * = host=\(server.directory) user=postgres
      [pgbouncer]
      listen_addr =
      listen_port = 5432
      unix_socket_dir = \(directory)
      auth_type = any
      pool_mode = transaction
      default_pool_size = 2
      server_reset_query =
      logfile = \(directory)/log
      pidfile = \(directory)/pid
      \(settings.joined(separator: "\n"))
      """
    try Data(configuration.utf8).write(to: URL(fileURLWithPath: "\(directory)/ini"))
    let script = """
      cd "$1"
      as=
      if [ "$(id -u)" = 0 ]; then
        as="setpriv --reuid=$2 --regid=$(id -g "$2") --clear-groups"
        chown "$2" "$1" "$1/ini"
      fi
      $as "$3" -q "$1/ini" >"$1/out" 2>&1 &
      pooler=$!
      while [ ! -S "$1/.s.PGSQL.5432" ] && kill -0 "$pooler" 2>/dev/null; do :; done
      kill -0 "$pooler" 2>/dev/null && echo ready || cat "$1/out"
      cat >/dev/null || true
      kill -TERM "$pooler" 2>/dev/null || true
      wait "$pooler" 2>/dev/null || true
      rm -rf "$1"
      """
    let (toGuardian, fromGuardian) = try (makeSocketPair(), makeSocketPair())
    let user = getpwnam("postgres") == nil ? "nobody" : "postgres"
    guardian = try ChildProcess.start(
      ["/bin/sh", "-c", script, "sh", directory, user, Self.program],
      environment: ProcessInfo.processInfo.environment, directory: nil, isSessionLeader: true
    ) { actions in
      posix_spawn_file_actions_adddup2(&actions, toGuardian[0], STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&actions, fromGuardian[1], STDOUT_FILENO)
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    close(toGuardian[0])
    close(fromGuardian[1])
    input = toGuardian[1]
    var answer = [UInt8](repeating: 0, count: 4_096)
    let count = read(fromGuardian[0], &answer, answer.count)
    close(fromGuardian[0])
    let text = String(decoding: answer.prefix(max(count, 0)), as: UTF8.self)
    guard text == "ready\n" else {
      throw POSIXError(.EIO, userInfo: [NSLocalizedDescriptionKey: text])
    }
  }

  deinit {
    close(input)
    var status: Int32 = 0
    while waitpid(guardian, &status, 0) < 0, errno == EINTR {}
  }

  /// The URI of a database.
  package func address(of database: String) -> String {
    "postgresql:///\(database)?host=\(directory)&user=postgres"
  }
}

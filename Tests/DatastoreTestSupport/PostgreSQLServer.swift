import DatastoreCore
package import Foundation
import Synchronization

/// A server of PostgreSQL of the tests' own: a cluster in a temporary directory, on a Unix socket only.
///
/// A shell starts it, and waits for the end of its standard input, which only this process holds open:
/// however this process ends, the shell stops the server by its number and removes the directory.
package final class PostgreSQLServer: Sendable {
  /// The one that all tests of this process share, each with databases of its own: that of
  /// `DATASTORE_TEST_SERVER`, the URI of a database of it that is there, or else one that is started.
  ///
  /// - Throws: `Missing` where the server is not installed; why it does not start.
  package static func shared() throws -> PostgreSQLServer {
    try servers.withLock { shared in
      if let shared { return shared }
      let given = ProcessInfo.processInfo.environment["DATASTORE_TEST_SERVER"] ?? ""
      let server =
        given.isEmpty ? try PostgreSQLServer() : try PostgreSQLServer(at: GivenServer(given))
      shared = server
      return server
    }
  }

  private static let servers = Lock<PostgreSQLServer?>(nil)

  /// The directory of its socket.
  package let directory: String
  /// The number of its process.
  package let id: pid_t
  /// Its address, if it existed before; nil for a server that was started for the tests.
  let given: GivenServer?
  private let programs: String
  private let guardian: pid_t
  private let input: Int32
  private let databaseCount = Atomic(0)

  /// An instruction for a machine without a server to test with.
  package struct Missing: Error, CustomStringConvertible {
    package let description =
      "There is no PostgreSQL server below /usr/lib/postgresql; install the package postgresql, or run "
      + "make test, which does."
  }

  /// Uses an existing server, which stays when the tests end.
  private init(at given: GivenServer) throws {
    programs = try Self.findPrograms()
    self.given = given
    directory = FileManager.default.temporaryDirectory.path
    (id, guardian, input) = (0, 0, -1)
  }

  /// Makes a cluster and starts its server, as a user who may not write anything else.
  ///
  /// - Parameters:
  ///   - settings: lines of postgresql.conf.
  ///   - primary: the server that it is to be a standby of, if any.
  package init(settings: [String] = [], standbyOf primary: PostgreSQLServer? = nil) throws {
    programs = try Self.findPrograms()
    given = nil
    // Short, since the path of a socket has at most 107 bytes.
    var template = Array("/tmp/datastore-pg-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
    let directory = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    self.directory = directory
    let script = """
      set -e
      cd "$1"
      # A server refuses to run as root.
      as=
      if [ "$(id -u)" = 0 ]; then
        as="setpriv --reuid=$2 --regid=$(id -g "$2") --clear-groups"
        chown "$2" "$1"
      fi
      if [ -n "$5" ]; then
        $as "$3/pg_basebackup" -h "$5" -U postgres -D "$1/data" -R -X stream -c fast --no-sync \
          >"$1/log" 2>&1
      else
        $as "$3/initdb" -D "$1/data" -U postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 \
          --no-sync >"$1/log" 2>&1
      fi
      cat >>"$1/data/postgresql.conf"  <<SETTINGS
      listen_addresses = ''
      unix_socket_directories = '$1'
      fsync = off
      shared_buffers = 32MB
      max_connections = 1500
      log_line_prefix = '%m [%p] %d '
      $4
      SETTINGS
      $as "$3/pg_ctl" -D "$1/data" -l "$1/data/log" -w -t 60 start >>"$1/log" 2>&1
      read server <"$1/data/postmaster.pid"
      echo "$server"
      cat >/dev/null || true
      # Another one, where it was started again; none, where it was killed.
      server=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null || echo "$server")
      kill -INT "$server" 2>/dev/null || true
      # Its output is read no longer, which tail would take for a reason to end.
      tail --pid="$server" -f /dev/null >/dev/null || true
      rm -rf "$1"
      """
    let (toGuardian, fromGuardian) = try (makeSocketPair(), makeSocketPair())
    let user = getpwnam("postgres") == nil ? "nobody" : "postgres"
    guardian = try ChildProcess.start(
      [
        "/bin/sh", "-c", script, "sh", directory, user, programs, settings.joined(separator: "\n"),
        primary?.directory ?? "",
      ],
      environment: ProcessInfo.processInfo.environment, directory: nil, isSessionLeader: true
    ) { actions in
      posix_spawn_file_actions_adddup2(&actions, toGuardian[0], STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&actions, fromGuardian[1], STDOUT_FILENO)
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    close(toGuardian[0])
    close(fromGuardian[1])
    input = toGuardian[1]
    var answer = [UInt8](repeating: 0, count: 32)
    let count = read(fromGuardian[0], &answer, answer.count)
    close(fromGuardian[0])
    let number = String(decoding: answer.prefix(max(count, 0)), as: UTF8.self)
    guard let id = pid_t(number.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      let log = ["log", "data/log"].compactMap {
        try? String(contentsOfFile: "\(directory)/\($0)", encoding: .utf8)
      }
      throw POSIXError(
        .EIO, userInfo: [NSLocalizedDescriptionKey: log.joined(separator: "\n")])
    }
    self.id = id
  }

  deinit {
    if given != nil { return }
    close(input)
    var status: Int32 = 0
    while waitpid(guardian, &status, 0) < 0, errno == EINTR {}
  }

  /// Ends the server like a loss of its machine, and waits until it is gone.
  package func stop() throws {
    kill(id, SIGQUIT)
    _ = try spawn(
      "/usr/bin/tail", ["--pid=\(id)", "-f", "/dev/null"], output: URL(fileURLWithPath: "/dev/null")
    )
  }

  private static func findPrograms() throws -> String {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let newest = versions.compactMap { Int($0) }.sorted(by: >).map { "\(root)/\($0)/bin" }
    guard
      let found = newest.first(where: {
        FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
      })
    else { throw Missing() }
    return found
  }

  /// Makes an empty database and returns its name.
  package func makeDatabase() throws -> String {
    let number = databaseCount.add(1, ordering: .relaxed).newValue
    guard let given else {
      _ = try psql("postgres", "CREATE DATABASE test_\(number) TEMPLATE template0")
      return "test_\(number)"
    }
    let name = "datastore_test_\(getpid())_\(number)"
    try make(name, in: given)
    return name
  }

  /// Stops it and starts it again, as an administrator does: connections end with a message.
  package func restart() throws { try control("-m fast -w -t 60 restart") }

  /// Stops it as a crash does: connections end without a word.
  package func crash() throws { try control("-m immediate -w -t 60 stop") }

  /// Starts it again after a crash.
  package func start() throws { try control("-w -t 60 start") }

  /// Makes a standby the server that is written to.
  package func promote() throws { try control("-w -t 60 promote") }

  private func control(_ words: String) throws {
    let script = """
      as=
      if [ "$(id -u)" = 0 ]; then
        user=$(stat -c %U "$1")
        as="setpriv --reuid=$user --regid=$(id -g "$user") --clear-groups"
      fi
      cd "$1" && exec $as "$2/pg_ctl" -D "$1/data" -l "$1/data/log" \(words)
      """
    let null = URL(fileURLWithPath: "/dev/null")
    let status = try spawn(
      "/bin/sh", ["-c", script, "sh", directory, programs], output: null, errors: null)
    guard status == 0 else {
      throw POSIXError(.EIO, userInfo: [NSLocalizedDescriptionKey: "pg_ctl \(words): \(status)"])
    }
  }

  /// The URI of a database.
  package func address(of database: String) -> String {
    given?.address(of: database) ?? "postgresql:///\(database)?host=\(directory)&user=postgres"
  }

  /// Runs statements in psql, the other program of the tests, and returns what it prints: a line for each
  /// row, with `|` between values.
  ///
  /// - Throws: `PSQLError` with what psql says when one of them fails.
  @discardableResult
  package func psql(_ database: String, _ statements: String) throws -> String {
    try psql(at: address(of: database), statements)
  }

  func psql(at address: String, _ statements: String) throws -> String {
    let output = URL(fileURLWithPath: "\(directory)/out-\(UUID().uuidString)")
    let errors = output.appendingPathExtension("err")
    defer { for url in [output, errors] { try? FileManager.default.removeItem(at: url) } }
    let status = try spawn(
      "\(programs)/psql",
      [
        "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", statements,
      ], output: output, errors: errors)
    guard status == 0 else {
      throw PSQLError(description: try String(contentsOf: errors, encoding: .utf8))
    }
    return try String(contentsOf: output, encoding: .utf8)
      .trimmingCharacters(in: .newlines)
  }
}

package struct PSQLError: Error, CustomStringConvertible {
  package let description: String
}

import DatastoreTestSupport
import Foundation

/// OpenSSH's server on this machine, for one program and one user: with keys and a configuration of its own,
/// and an `ssh` before the system's in the `PATH` that knows them. It knows one host, `far`, and starts the
/// server for each connection, as inetd would: a free port could be taken before a server listens to it.
struct SSHServer {
  private static let server = "/usr/sbin/sshd"
  private static let client = "/usr/bin/ssh"

  static let isPresent = [server, client]
    .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

  /// The reason of a test that does not run without it.
  static let absence = "OpenSSH’s server is not installed, so nothing is reached by ssh"

  /// The folder with the `ssh` to be found first.
  let programs: URL

  /// - Throws: `POSIXError`.
  init(_ program: Program) throws {
    let folder = program.directory.url.appending(path: "sshd")
    programs = folder.appending(path: "bin")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    let log = folder.appending(path: "log")
    for key in ["host", "user"] {
      let status = try spawn(
        "/usr/bin/ssh-keygen",
        ["-q", "-t", "ed25519", "-N", "", "-f", folder.appending(path: key).path], output: log)
      guard status == 0 else { throw POSIXError(.EACCES) }
    }
    func write(_ text: String, _ name: String) throws -> String {
      let file = folder.appending(path: name)
      try text.write(to: file, atomically: true, encoding: .utf8)
      return file.path
    }
    let configuration = try write(
      """
      HostKey \(folder.path)/host
      AuthorizedKeysFile \(folder.path)/user.pub
      PidFile none
      StrictModes no
      PermitRootLogin yes
      PasswordAuthentication no

      """, "sshd_config")
    let known = try write(
      """
      Host far
        ProxyCommand \(Self.server) -i -e -f \(configuration) 2>>\(folder.path)/errors
        IdentityFile \(folder.path)/user
        IdentitiesOnly yes
        UserKnownHostsFile \(folder.path)/known_hosts
        StrictHostKeyChecking accept-new

      """, "ssh_config")
    try install(
      script: "#!/bin/sh\nexec \(Self.client) -F \(known) \"$@\"\n",
      at: programs.appending(path: "ssh"))
    // Root's one gives up its rights in an empty folder.
    if getuid() == 0 {
      try FileManager.default.createDirectory(
        atPath: "/run/sshd", withIntermediateDirectories: true)
    }
  }
}

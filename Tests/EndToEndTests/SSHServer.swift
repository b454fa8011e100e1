import DatastoreTestSupport
import Foundation

/// OpenSSH's server on this machine, for one program and one user: with keys, a port and a configuration of
/// its own, and an `ssh` before the system's in the `PATH` that knows them. It knows one host, `far`.
final class SSHServer {
  private static let server = "/usr/sbin/sshd"
  private static let client = "/usr/bin/ssh"

  static let isPresent = [server, client]
    .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

  /// The reason of a test that does not run without it.
  static let absence = "OpenSSH’s server is not installed, so nothing is reached by ssh"

  private let process: ChildProcess
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
    let port = try Self.freePort()
    func write(_ text: String, _ name: String) throws -> String {
      let file = folder.appending(path: name)
      try text.write(to: file, atomically: true, encoding: .utf8)
      return file.path
    }
    let configuration = try write(
      """
      Port \(port)
      ListenAddress 127.0.0.1
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
        HostName 127.0.0.1
        Port \(port)
        IdentityFile \(folder.path)/user
        IdentitiesOnly yes
        UserKnownHostsFile \(folder.path)/known_hosts
        StrictHostKeyChecking accept-new
        ConnectionAttempts 20

      """, "ssh_config")
    let ssh = try write("#!/bin/sh\nexec \(Self.client) -F \(known) \"$@\"\n", "bin/ssh")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: ssh)
    // Root's one gives up its rights in an empty folder.
    if getuid() == 0 {
      try FileManager.default.createDirectory(
        atPath: "/run/sshd", withIntermediateDirectories: true)
    }
    process = try ChildProcess(
      Self.server, ["-D", "-e", "-f", configuration], output: log,
      errors: folder.appending(path: "errors"))
  }

  deinit {
    kill(process.id, SIGTERM)
    _ = process.wait()
  }

  /// A port that is free now.
  private static func freePort() throws -> UInt16 {
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(file) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> UInt16? in
        guard bind(file, address, size) == 0, getsockname(file, address, &size) == 0 else {
          return nil
        }
        return UInt16(bigEndian: pointer.pointee.sin_port)
      }
    }
    guard let port else { throw POSIXError(.EADDRINUSE) }
    return port
  }
}

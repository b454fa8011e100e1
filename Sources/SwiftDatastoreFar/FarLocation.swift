package import DatastoreFar

/// Where a SQLite file lies that another machine, a container or another user has.
///
/// At the other end runs `datastore serve --stdio`, for as long as the store is open: the program `datastore`
/// has to be installed there, in the same version as this library.
public struct FarLocation: Sendable, Hashable, CustomStringConvertible {
  package let address: FarAddress

  /// A file on a host that OpenSSH reaches, with what the user has configured for it: keys, agents, jump
  /// hosts, names.
  ///
  /// - Parameters:
  ///   - host: a name of a host, or of the user's `~/.ssh/config`; `user@host` for another user.
  ///   - port: nil for the one that is configured.
  ///   - path: the file there; relative to the home of the user unless it begins with `/`.
  ///   - program: the `datastore` there, where it is not in the `PATH`.
  public static func ssh(
    host: String, port: Int? = nil, path: String, program: String = "datastore"
  ) -> FarLocation {
    FarLocation(address: FarAddress(sshHost: host, port: port, path: path, program: program))
  }

  /// A file at the other end of a command of the shell, such as `docker exec -i web`, which runs the words
  /// that follow it and hands on their standard input and output.
  ///
  /// - Parameters:
  ///   - command: the command, which the shell runs as it is written.
  ///   - path: the file there.
  ///   - program: the `datastore` there, where it is not in the `PATH`.
  public static func command(
    _ command: String, path: String, program: String = "datastore"
  ) -> FarLocation {
    FarLocation(address: FarAddress(command: command, path: path, program: program))
  }

  /// What people call it: `ssh://user@host/path`.
  public var description: String { address.name }
}

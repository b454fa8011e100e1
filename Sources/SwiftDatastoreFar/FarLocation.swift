package import DatastoreFar

/// The location of a SQLite file on another machine, in a container or of another user.
///
/// As long as the store is open, `datastore serve --stdio` runs at the other end. So the program `datastore`
/// has to be installed there, in the same version as this library.
public struct FarLocation: Sendable, Hashable, CustomStringConvertible {
  package let address: FarAddress

  /// The location of a file on a host that OpenSSH connects to with the user's configuration: keys, agents,
  /// jump hosts, aliases.
  ///
  /// - Parameters:
  ///   - host: the name of a host, or an alias in the user's `~/.ssh/config`; `user@host` for another user.
  ///   - port: nil for the configured port.
  ///   - path: the path there; relative to the home directory of the user unless it begins with `/`.
  ///   - program: the path of the `datastore` there, if it is not in the `PATH`.
  public static func ssh(
    host: String, port: Int? = nil, path: String, program: String = "datastore"
  ) -> FarLocation {
    FarLocation(address: FarAddress(sshHost: host, port: port, path: path, program: program))
  }

  /// The location of a file at the other end of a shell command, such as `docker exec -i web`, that runs the
  /// words after it and passes their standard input and output on.
  ///
  /// - Parameters:
  ///   - command: the command, which the shell runs as it is written.
  ///   - path: the path there.
  ///   - program: the path of the `datastore` there, if it is not in the `PATH`.
  public static func command(
    _ command: String, path: String, program: String = "datastore"
  ) -> FarLocation {
    FarLocation(address: FarAddress(command: command, path: path, program: program))
  }

  /// The location as shown to users: `ssh://user@host/path`.
  public var description: String { address.name }
}

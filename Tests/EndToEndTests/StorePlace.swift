import DatastoreTestSupport
import Foundation

/// The place of a journey's file: the journey is the same.
enum StorePlace: CaseIterable {
  case here
  /// At the other end of a command, on this machine.
  case command
  /// On a host of OpenSSH's, which is this machine.
  case ssh

  /// The places that can be tested on this machine.
  static let all = allCases.filter { $0 != .ssh || SSHServer.isPresent }
  /// Without those that need a server.
  static let withoutServer: [StorePlace] = [.here, .command]

  /// The arguments that open a file of the program's directory in the browser for changes.
  func arguments(_ file: URL) -> [String] {
    switch self {
    case .here: [file.lastPathComponent]
    case .command: [file.path, "--via", "env", "--write"]
    case .ssh: ["ssh://far\(file.path)", "--far-program", Program.executable.path, "--write"]
    }
  }

  /// The same as words of a shell.
  func words(_ file: URL) -> String {
    arguments(file).map { "'\($0)'" }.joined(separator: " ")
  }

  /// The path of staged changes.
  func recovery(of file: URL, _ program: Program) -> String? {
    if self == .here {
      return program.directory.path(".\(file.lastPathComponent).datastore-recovery")
    }
    let folder = program.directory.path("state/datastore")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.first { $0.hasSuffix(".datastore-recovery") }.map { "\(folder)/\($0)" }
  }

  /// Makes the host to which `ssh` leads; nil without one.
  func server(_ program: Program) throws -> SSHServer? {
    self == .ssh ? try SSHServer(program) : nil
  }
}

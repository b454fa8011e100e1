import Basics
import DatastoreCore
package import Foundation

/// The address of a SQLite file on another machine, in a container or of another user: the way there, and its
/// path there.
package struct FarAddress: Sendable, Hashable {
  private enum Way: Sendable, Hashable {
    /// OpenSSH, with the user's configuration for the host.
    case ssh(destination: String, port: Int?)
    /// A command that runs the following words at the other end, such as `docker exec -i web`.
    case command(String)
  }

  private let way: Way
  /// The path at the other end, where the file need not exist; a relative path starts where `way` leads.
  package let path: String
  /// The program that answers there, searched for in the `PATH` unless it has a slash.
  private var program: String
  /// Brings this program there if it was found to be missing; nil otherwise.
  package var bringing: FarBringing?

  package static let scheme = "ssh://"

  /// Creates the address of a file on a host that OpenSSH connects to.
  ///
  /// - Parameters:
  ///   - host: a name, or an alias that the user has configured; with `user@` for another user.
  ///   - port: nil for the configured one.
  package init(
    sshHost host: String, port: Int? = nil, path: String, program: String = "datastore"
  ) {
    way = .ssh(destination: host, port: port)
    self.path = path
    self.program = program
  }

  /// Creates the address of a file at the other end of a command.
  package init(command: String, path: String, program: String = "datastore") {
    way = .command(command)
    self.path = path
    self.program = program
  }

  /// Parses `ssh://user@host:port/path`; a path that begins with `/~/` is relative to the home directory
  /// there.
  ///
  /// - Throws: `StoreError.unusableAddress` for any other form.
  package init(_ text: String, program: String = "datastore") throws {
    let rest = text.begins(with: Self.scheme) ? text.dropFirst(Self.scheme.count) : ""
    guard let slash = rest.firstPlace(of: "/") else {
      throw Self.unusable("it lacks the path of the file")
    }
    var destination = String(rest[..<slash])
    var port: Int?
    // The colons of an IPv6 address are in brackets.
    if let colon = destination.lastPlace(of: ":"), !destination.text(after: colon).has("]") {
      guard let number = Int(destination.text(after: colon)), (1...65535).contains(number) else {
        throw Self.unusable("its port must be a number from 1 to 65535")
      }
      port = number
      destination = String(destination[..<colon])
    }
    destination.unicodeScalars.removeAll { $0 == "[" || $0 == "]" }
    // OpenSSH would parse it as an option.
    guard !destination.isEmpty, !destination.begins(with: "-") else {
      throw Self.unusable("it lacks the name of the host")
    }
    var path = String(rest[slash...])
    if path.begins(with: "/~/") { path = String(path.dropFirst(3)) }
    guard !path.isEmpty, path != "/" else { throw Self.unusable("it lacks the path of the file") }
    self.init(sshHost: destination, port: port, path: path, program: program)
  }

  private static func unusable(_ detail: String) -> StoreError {
    .unusableAddress(detail: "\(detail); write it as ssh://user@host:port/path/of/file.sqlite")
  }

  /// The address as shown to users.
  package var name: String {
    switch way {
    case .ssh(let destination, let port):
      Self.scheme + destination + (port.map { ":\($0)" } ?? "")
        + (path.begins(with: "/") ? path : "/~/\(path)")
    case .command(let command): "\(path) (\(command))"
    }
  }

  /// The place of the file in messages, without its path.
  package var place: String {
    switch way {
    case .ssh(let destination, _): "on \(destination)"
    case .command(let command): "where “\(command)” leads"
    }
  }

  /// The command that runs the `datastore` there on the file. Brings the program there if need be.
  ///
  /// - Parameter arguments: the arguments before the path.
  /// - Throws: as `FarBringing.program(at:)`.
  package func words(_ arguments: [String]) throws -> [String] {
    let program = try bringing?.program(at: self) ?? program
    return words(running: [program] + arguments + ["--", path])
  }

  /// The command that runs a shell there, which reads a script from its standard input; the script's argument
  /// is the path of the file.
  func shell() -> [String] { words(running: ["sh", "-s", "--", path]) }

  private func words(running far: [String]) -> [String] {
    switch way {
    case .ssh(let destination, let port):
      // A terminal there would change the bytes that are sent.
      return ["ssh", "-T"] + (port.map { ["-p", "\($0)"] } ?? [])
        + [destination, "--", "exec " + Quoting.shellCommand(far)]
    case .command(let command):
      return ["/bin/sh", "-c", "exec \(command) \(Quoting.shellCommand(far))"]
    }
  }

  /// Creates the file there as a copy of a local file, which must not be open.
  ///
  /// - Parameter progress: receives the numbers of copied bytes and of all bytes.
  /// - Throws: `StoreError.fileExists` rather than replacing a file; `StoreError.unreachable`, `.cannotOpen`,
  ///   `.connectionLost`; errors of `progress`. A copy that fails leaves nothing behind.
  package func make(
    of url: URL, _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    let line = try FarProgram.line(words(["serve", "--stdio"]), named: name)
    defer { line.close() }
    if case .ssh = way { line.compress() }
    var done = 0
    try FarFilePart.read(url) { part in
      _ = try line.call(CopyInCall(part: part))
      done += part.bytes.data.count
      try progress(done, part.total)
    }
  }

  /// Runs a command of the `datastore` there that writes text, such as the faults that it finds in the file.
  ///
  /// - Parameter line: receives each line. The lines are untrusted.
  /// - Returns: the exit status as a shell reports it, and the last line of standard error if the command
  ///   wrote nothing.
  /// - Throws: `StoreError.unreachable`; `FarProgramMissing`; errors of bringing the program.
  package func answer(
    _ arguments: [String], line: (String) -> Void
  ) throws -> (status: Int32, complaint: String?) {
    let streams = try FarProgram.start(words(arguments), named: name)
    defer { close(streams.reading) }
    close(streams.writing)
    var input = FarInput(streams.reading)
    var isSilent = true
    // A program that was brought there is removed when the address is released.
    try withExtendedLifetime(self) {
      while let text = try input.line(atMost: 1 << 16) {
        isSilent = false
        line(text)
      }
    }
    streams.program.end()
    guard isSilent else { return (streams.program.exitStatus ?? 0, nil) }
    let failure = streams.program.failure(name)
    guard case .cannotOpen? = failure as? StoreError else { throw failure }
    return (streams.program.exitStatus ?? 0, streams.program.complaint())
  }

  /// Opens the file there.
  ///
  /// - Throws: `StoreError.unreachable`; `FarProgramMissing`; errors of bringing the program, and of opening
  ///   the file there.
  package func open(_ options: FarOptions) throws -> FarStore {
    let connect: @Sendable () throws -> FarLine = {
      try FarProgram.line(words(["serve", "--stdio"]), named: name)
    }
    var options = options
    // Most commands lead into a container or to another user of this machine, where compression only costs
    // time.
    if case .command = way { options.isCompressed = false }
    // The far machine may have lost what was brought before this end hears of it.
    let bringAgain = bringing.map { bringing -> @Sendable () -> Void in { bringing.leave() } }
    return try FarStore(connect(), options, connecting: connect, ifMissing: bringAgain)
  }
}

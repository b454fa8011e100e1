import Basics
import DatastoreCore
package import Foundation

/// A SQLite file that another machine, a container or another user has: the way there, and its path there.
package struct FarAddress: Sendable, Hashable {
  private enum Way: Sendable, Hashable {
    /// OpenSSH, with what the user has configured for that host.
    case ssh(destination: String, port: Int?)
    /// A command that runs the words that follow it at the other end, such as `docker exec -i web`.
    case command(String)
  }

  private let way: Way
  /// The path at the other end, where it need not exist; one that is relative begins where `way` leads.
  package let path: String
  /// The program that answers there, which is looked for in the `PATH` unless it has a slash.
  private var program: String
  /// What brings this program there, where it was found to be missing; nil otherwise.
  package var bringing: FarBringing?

  package static let scheme = "ssh://"

  /// A file on a host of OpenSSH's.
  ///
  /// - Parameters:
  ///   - host: a name, or an alias that the user has configured; with `user@` where it is another user.
  ///   - port: nil for the configured one.
  package init(
    sshHost host: String, port: Int? = nil, path: String, program: String = "datastore"
  ) {
    way = .ssh(destination: host, port: port)
    self.path = path
    self.program = program
  }

  /// A file at the other end of a command.
  package init(command: String, path: String, program: String = "datastore") {
    way = .command(command)
    self.path = path
    self.program = program
  }

  /// `ssh://user@host:port/path`; a path that begins with `/~/` is relative to the home there.
  ///
  /// - Throws: `StoreError.unusableAddress` for what is not of that form.
  package init(_ text: String, program: String = "datastore") throws {
    let rest = text.begins(with: Self.scheme) ? text.dropFirst(Self.scheme.count) : ""
    guard let slash = rest.firstPlace(of: "/") else {
      throw Self.unusable("it lacks the path of the file")
    }
    var destination = String(rest[..<slash])
    var port: Int?
    // An address of version 6 has colons of its own, in brackets.
    if let colon = destination.lastPlace(of: ":"), !destination.text(after: colon).has("]") {
      guard let number = Int(destination.text(after: colon)), (1...65535).contains(number) else {
        throw Self.unusable("its port must be a number from 1 to 65535")
      }
      port = number
      destination = String(destination[..<colon])
    }
    destination.unicodeScalars.removeAll { $0 == "[" || $0 == "]" }
    // OpenSSH would take it for an option.
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

  /// What people call it.
  package var name: String {
    switch way {
    case .ssh(let destination, let port):
      Self.scheme + destination + (port.map { ":\($0)" } ?? "")
        + (path.begins(with: "/") ? path : "/~/\(path)")
    case .command(let command): "\(path) (\(command))"
    }
  }

  /// Where the file is, without its path.
  package var place: String {
    switch way {
    case .ssh(let destination, _): "on \(destination)"
    case .command(let command): "where “\(command)” leads"
    }
  }

  /// What is run here to have the `datastore` there do something with the file. Brings it there if need be.
  ///
  /// - Parameter arguments: what stands before the path.
  /// - Throws: as `FarBringing.program(at:)`.
  package func words(_ arguments: [String]) throws -> [String] {
    let program = try bringing?.program(at: self) ?? program
    return words(running: [program] + arguments + ["--", path])
  }

  /// What is run here to have a shell there read a script from its standard input, with the path of the file
  /// as its argument.
  func shell() -> [String] { words(running: ["sh", "-s", "--", path]) }

  private func words(running far: [String]) -> [String] {
    switch way {
    case .ssh(let destination, let port):
      // No terminal there, which would change what is sent.
      return ["ssh", "-T"] + (port.map { ["-p", "\($0)"] } ?? [])
        + [destination, "--", "exec " + Quoting.shellCommand(far)]
    case .command(let command):
      return ["/bin/sh", "-c", "exec \(command) \(Quoting.shellCommand(far))"]
    }
  }

  /// Makes the file there of one that is here, and that nobody has open.
  ///
  /// - Parameter progress: hears how many bytes of how many are there.
  /// - Throws: `StoreError.fileExists` rather than replacing a file; `StoreError.unreachable`, `.cannotOpen`,
  ///   `.connectionLost`; what `progress` throws. Nothing is left of a copy that fails.
  package func make(
    of url: URL, _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    let total = Int(try file.seekToEnd())
    try file.seek(toOffset: 0)
    let line = try FarProgram.line(words(["serve", "--stdio"]), named: name)
    defer { line.close() }
    if case .ssh = way { line.compress() }
    var done = 0
    while let bytes = try file.read(upToCount: FarFilePart.mostBytes), !bytes.isEmpty {
      let part = FarFilePart(bytes: FarBytes(bytes), total: total)
      _ = try line.call(CopyInCall(part: part))
      done += bytes.count
      try progress(done, total)
    }
  }

  /// Has the `datastore` there answer in text, such as what it finds in the file.
  ///
  /// - Parameter line: takes each line, which is a stranger's.
  /// - Returns: what it ends with, as a shell says it, and what it says is wrong where it answers nothing.
  /// - Throws: `StoreError.unreachable`; `FarProgramMissing`; what bringing the program throws.
  package func answer(
    _ arguments: [String], line: (String) -> Void
  ) throws -> (status: Int32, complaint: String?) {
    let streams = try FarProgram.start(words(arguments), named: name)
    defer { close(streams.reading) }
    close(streams.writing)
    var input = FarInput(streams.reading)
    var isSilent = true
    // What was brought there goes with the address.
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
  /// - Throws: `StoreError.unreachable`; `FarProgramMissing`; what bringing the program throws; what opening
  ///   throws there.
  package func open(_ options: FarOptions) throws -> FarStore {
    let connect: @Sendable () throws -> FarLine = {
      try FarProgram.line(words(["serve", "--stdio"]), named: name)
    }
    var options = options
    // Most commands lead into a container or to another user of this machine, where compressing only costs.
    if case .command = way { options.isCompressed = false }
    return try FarStore(connect(), options, connecting: connect)
  }
}

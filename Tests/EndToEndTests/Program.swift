import DatastoreTestSupport
import Foundation
import Testing

/// The program that ships, run in a directory of its own with an environment that holds nothing of the
/// user's.
final class Program: Sendable {
  let directory: TemporaryDirectory

  /// - Throws: `BuiltProgram.Missing`, which names the program to build.
  init() throws {
    try BuiltProgram.require(Self.executable)
    directory = try TemporaryDirectory()
  }

  static let executable = BuiltProgram.datastore

  static let sampleData = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "sample-data")

  var environment: [String: String] {
    [
      "PATH": "\(Self.executable.deletingLastPathComponent().path):/usr/local/bin:/usr/bin:/bin",
      "HOME": directory.url.path,
      "XDG_DATA_HOME": directory.path("data"),
      "XDG_STATE_HOME": directory.path("state"),
      "LANG": "C.UTF-8",
      "TMPDIR": directory.url.path,
    ]
  }

  /// Shows columns of identifiers in the order of the file, for tests that press keys which count columns
  /// from that of the key; not if a test has a configuration of its own.
  func keepIdentifiersInPlace() throws {
    let folder = directory.url.appendingPathComponent(".config/datastore")
    let file = folder.appendingPathComponent("config.yaml")
    guard !FileManager.default.fileExists(atPath: file.path) else { return }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try "identifiers: in-place\n".write(to: file, atomically: true, encoding: .utf8)
  }

  /// Shows the list of entities and the details beside the table, as for a user who has asked for them; not
  /// if a test keeps settings of its own.
  func keepPanels() throws {
    let folder = directory.url.appendingPathComponent("state/datastore")
    let file = folder.appendingPathComponent("screen.json")
    guard !FileManager.default.fileExists(atPath: folder.path) else { return }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try """
    {"panes": {"entities": true, "detail": true, "isZoomed": false, "entityColumns": 0, "detailColumns": 0,
      "detailRows": 0}}
    """.write(to: file, atomically: true, encoding: .utf8)
    // As the browser itself makes them.
    for (path, mode) in [(folder.path, 0o700), (file.path, 0o600)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
  }

  /// Whether there is a recovery file with its contents: an empty one reserves the name before.
  static func hasRecovery(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? Int ?? 0) > 0
  }

  /// The result of a run.
  struct Outcome: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs the program to its end. Nothing is on its standard input unless it is given.
  func run(_ arguments: String..., input: String? = nil) async throws -> Outcome {
    try await start(arguments, input: input).outcome()
  }

  /// Runs a script of `/bin/sh` in the program's directory and environment, with the program on the path.
  func shell(_ script: String) async throws -> Outcome {
    try await RunningProgram(
      self, ["-c", script], executable: URL(fileURLWithPath: "/bin/sh"), input: nil,
      keepsInputOpen: false
    ).outcome()
  }

  /// Starts the program. With `keepsInputOpen`, standard input does not end after `input`.
  func start(
    _ arguments: [String], input: String? = nil, keepsInputOpen: Bool = false
  ) throws -> RunningProgram {
    try RunningProgram(self, arguments, input: input, keepsInputOpen: keepsInputOpen)
  }
}

/// A run of the program that has not ended yet.
final class RunningProgram {
  private let process: ChildProcess
  private let output: URL
  private let errors: URL
  /// The other end of its standard input, while that is open.
  private let input: FileHandle?

  fileprivate init(
    _ program: Program, _ arguments: [String], executable: URL = Program.executable,
    input: String?, keepsInputOpen: Bool
  ) throws {
    let id = UUID().uuidString
    // Files, since a full pipe would stop the program.
    let folder = program.directory.url.appendingPathComponent("streams", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    output = folder.appendingPathComponent("\(id).out")
    errors = folder.appendingPathComponent("\(id).err")
    // A named pipe, since both ends can be opened so that no other program inherits them, which would keep
    // it open.
    let pipe = folder.appendingPathComponent("\(id).in").path
    guard mkfifo(pipe, 0o600) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    let reading = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let writing = FileHandle(
      fileDescriptor: open(pipe, O_WRONLY | O_CLOEXEC), closeOnDealloc: true)
    // Not waiting was for the opening only.
    _ = fcntl(reading, F_SETFL, O_RDONLY)
    defer { close(reading) }
    process = try ChildProcess(
      executable.path, arguments, environment: program.environment,
      directory: program.directory.url,
      input: input == nil && !keepsInputOpen ? nil : reading, output: output, errors: errors)
    if let input { try writing.write(contentsOf: Data(input.utf8)) }
    if !keepsInputOpen { try writing.close() }
    self.input = keepsInputOpen ? writing : nil
  }

  func send(signal: Int32) { kill(process.id, signal) }

  /// The text on standard error so far.
  func errorsSoFar() throws -> String { try String(contentsOf: errors, encoding: .utf8) }

  /// Waits until it has written that text on standard error, or ends it when it has not for two minutes.
  func wait(forError text: String) async throws {
    let watch = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    let end = try Readiness.end(of: process.id)
    defer {
      close(watch)
      close(end)
    }
    guard inotify_add_watch(watch, errors.path, UInt32(IN_MODIFY)) >= 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    var silence = 0
    while silence < 480 {
      let hasEnded = await Readiness.wait(for: [end], milliseconds: 0)
      if try errorsSoFar().contains(text) { return }
      if hasEnded { break }
      if await Readiness.wait(for: [watch, end], milliseconds: 250) {
        silence = 0
        var events = [UInt8](repeating: 0, count: 4096)
        while read(watch, &events, events.count) > 0 {}
      } else {
        silence += 1
      }
    }
    send(signal: SIGKILL)
    Issue.record("waited in vain for “\(text)” on standard error; it is: \(try errorsSoFar())")
  }

  /// Waits for its end.
  func outcome() async throws -> Program.Outcome {
    let status = await process.ended()
    return Program.Outcome(
      status: status, output: try String(contentsOf: output, encoding: .utf8),
      errors: try errorsSoFar())
  }
}

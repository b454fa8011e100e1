import DatastoreTestSupport
import Foundation
import Testing

/// A shell on a real terminal of its own, 80 by 24 cells, in a tmux server of its own.
final class TmuxSession {
  /// Whether the tests that need tmux can run.
  static let isPresent = ["/usr/bin/tmux", "/usr/local/bin/tmux"]
    .contains { FileManager.default.isExecutableFile(atPath: $0) }

  /// What a test says that does not run for lack of tmux.
  static let absence: Comment = "tmux is not installed, so nothing can be tested on a terminal"

  /// Looks at the screen before a test gives up. Each takes some milliseconds, and the longer the
  /// busier the machine is, so this is a minute or more.
  private static let patience = 12_000

  /// Starts tmux without what it would inherit of this process, for its server outlives the command.
  /// In bash, since dash cannot name descriptors above 9.
  private static let command = """
    for fd in /proc/self/fd/*; do
      if [ "${fd##*/}" -gt 2 ]; then eval "exec ${fd##*/}>&-"; fi
    done
    exec tmux "$@"
    """

  private let program: Program
  private let socket = "datastore-\(UUID().uuidString)"

  /// Starts a shell whose prompt is `$ `.
  init(_ program: Program) throws {
    self.program = program
    try tmux(
      "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-c",
      program.directory.url.path, "env PS1='$ ' ENV= sh -i")
    try tmux("set-option", "-g", "status", "off")
    try tmux("resize-window", "-x", "80", "-y", "24")
  }

  deinit {
    _ = try? tmux("kill-server")
  }

  /// Runs a tmux command and returns what it prints.
  @discardableResult
  func tmux(_ arguments: String...) throws -> String {
    let output = program.directory.url.appendingPathComponent("tmux-output")
    let status = try spawn(
      "/bin/bash", ["-c", Self.command, "tmux", "-u", "-L", socket] + arguments,
      environment: program.environment.merging(["TERM": "xterm-256color"]) { $1 }, output: output)
    guard status == 0 else { throw TmuxFailure(arguments: arguments, status: status) }
    return try String(contentsOf: output, encoding: .utf8)
  }

  /// Presses keys by their tmux names.
  func press(_ keys: String...) throws {
    for key in keys { try tmux("send-keys", key) }
  }

  /// Types text and Enter.
  func enter(_ line: String) throws {
    try tmux("send-keys", "-l", line)
    try tmux("send-keys", "Enter")
  }

  /// The lines of the screen without the blank ones at its end.
  func picture() throws -> [String] {
    var lines = try tmux("capture-pane", "-p").split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    while lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines
  }

  /// Waits until the screen is as wanted, and returns it.
  @discardableResult
  func wait(
    for what: String, sourceLocation: SourceLocation = #_sourceLocation,
    until isWanted: ([String]) -> Bool
  ) async throws -> [String] {
    var lines: [String] = []
    for _ in 0..<Self.patience {
      lines = try picture()
      if isWanted(lines) { return lines }
      await Task.yield()
    }
    Issue.record(
      "waited in vain for \(what); the screen is:\n\(lines.joined(separator: "\n"))",
      sourceLocation: sourceLocation)
    throw TmuxFailure(arguments: [what], status: -1)
  }

  /// Waits until some line contains each text.
  @discardableResult
  func wait(
    for texts: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    try await wait(for: texts.joined(separator: ", "), sourceLocation: sourceLocation) { lines in
      texts.allSatisfy { text in lines.contains { $0.contains(text) } }
    }
  }

  /// Whether a program has taken the screen.
  func isAlternateScreen() throws -> Bool {
    try tmux("display-message", "-p", "#{alternate_on}").hasPrefix("1")
  }

  /// The terminal's settings, as the shell sees them.
  func settings(_ name: String) async throws -> String {
    try enter("stty -g > \(name); echo written-\(name)")
    // With the prompt after it, for a picture that is taken next shows all that the shell wrote.
    try await wait(for: "the settings") { $0.suffix(2) == ["written-\(name)", "$"] }
    return try file(name)
  }

  /// The text of a file in the shell's directory.
  func file(_ name: String) throws -> String {
    try String(contentsOf: program.directory.url.appendingPathComponent(name), encoding: .utf8)
  }
}

struct TmuxFailure: Error {
  let arguments: [String]
  let status: Int32
}

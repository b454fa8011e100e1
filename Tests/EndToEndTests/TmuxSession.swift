import DatastoreTestSupport
import Foundation
import Testing

/// A shell on a real terminal of its own, 80 by 24 cells, in a tmux server of its own.
final class TmuxSession {
  /// Whether the tests that need tmux can run.
  static let isPresent = ["/usr/bin/tmux", "/usr/local/bin/tmux"]
    .contains { FileManager.default.isExecutableFile(atPath: $0) }

  /// The reason of a test that does not run without tmux.
  static let absence: Comment = "tmux is not installed, so nothing can be tested on a terminal"

  /// Milliseconds after which the screen is read although nothing was written: a test may wait for something
  /// else, such as a file.
  private static let pause: Int32 = 250
  /// Pauses in which nothing is written before a test gives up: two minutes.
  private static let patience = 480
  /// Pauses in which the shell waits for a command before a test gives up.
  private static let shellPatience = 4
  /// Looks at a screen that never comes to rest.
  private static let most = 20_000

  /// Starts tmux without the descriptors that it would inherit from this process, because its server outlives
  /// the command. In bash, since dash cannot name descriptors above 9.
  private static let command = """
    for fd in /proc/self/fd/*; do
      if [ "${fd##*/}" -gt 2 ]; then eval "exec ${fd##*/}>&-"; fi
    done
    exec tmux "$@"
    """

  private let program: Program
  private let socket: String
  private let control: TmuxControl
  private let shell: ShellProcess

  /// Starts a shell whose prompt is `$ `.
  ///
  /// - Parameter identifiersLast: whether the browser shows columns of identifiers behind the others, as it
  ///   does unless it is configured otherwise.
  init(_ program: Program, identifiersLast: Bool = false) throws {
    self.program = program
    if !identifiersLast { try program.keepIdentifiersInPlace() }
    try program.keepPanels()
    let socket = "datastore-\(UUID().uuidString)"
    self.socket = socket
    func words(_ arguments: String...) -> [String] {
      Self.words(socket: socket, arguments)
    }
    let environment = Self.environment(of: program)
    let nowhere = URL(fileURLWithPath: "/dev/null")
    let start = words(
      "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-c",
      program.directory.url.path, "env PS1='$ ' ENV= sh -i")
    let status = try spawn(
      start[0], Array(start.dropFirst()), environment: environment, output: nowhere)
    guard status == 0 else { throw TmuxFailure(arguments: start, status: status) }
    control = try TmuxControl(words("-C", "attach", "-f", "ignore-size"), environment: environment)
    _ = try control.ask("set-option -g status off")
    _ = try control.ask("resize-window -x 80 -y 24")
    let place = try control.ask("display-message -p '#{pane_pid} #{pane_tty}'").joined()
      .split(separator: " ")
    guard place.count == 2, let number = pid_t(place[0]) else {
      throw TmuxFailure(arguments: place.map(String.init), status: -1)
    }
    shell = ShellProcess(id: number, terminal: String(place[1]))
  }

  deinit {
    _ = try? tmux("kill-server")
  }

  private static func words(socket: String, _ arguments: [String]) -> [String] {
    ["/bin/bash", "-c", command, "tmux", "-u", "-L", socket] + arguments
  }

  private static func environment(of program: Program) -> [String: String] {
    program.environment.merging(["TERM": "xterm-256color"]) { $1 }
  }

  /// Runs a tmux command and returns its output.
  @discardableResult
  func tmux(_ arguments: String...) throws -> String {
    let output = program.directory.url.appendingPathComponent("tmux-output")
    let words = Self.words(socket: socket, arguments)
    let status = try spawn(
      words[0], Array(words.dropFirst()), environment: Self.environment(of: program),
      output: output)
    guard status == 0 else { throw TmuxFailure(arguments: arguments, status: status) }
    return try String(contentsOf: output, encoding: .utf8)
  }

  /// Presses keys by their tmux names.
  func press(_ keys: String...) throws {
    for key in keys { try tmux("send-keys", key) }
  }

  /// Types text without Enter.
  func type(_ text: String) throws {
    try tmux("send-keys", "-l", text)
  }

  /// Types text and Enter.
  func enter(_ line: String) throws {
    try type(line)
    try press("Enter")
  }

  /// Replaces the value under the cursor of the browser.
  func replaceValue(with text: String) async throws {
    try press("e")
    try await wait(for: "not changed")
    try press("C-u")
    try type(text)
    try press("Enter")
    try await wait(for: "*\(text)")
  }

  /// The lines of the screen without the blank ones at its end.
  func picture() throws -> [String] {
    var lines = try control.ask("capture-pane -p").map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    while lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines
  }

  /// Waits until the screen is as wanted, and returns it.
  ///
  /// Reads the screen after each output. A test gives up when nothing more can come: the program has ended or
  /// crashed and the shell waits for the next command.
  @discardableResult
  func wait(
    for what: String, sourceLocation: SourceLocation = #_sourceLocation,
    until isWanted: ([String]) -> Bool
  ) async throws -> [String] {
    var lines: [String] = []
    var silence = 0
    var shellSilence = 0
    for _ in 0..<Self.most {
      lines = try picture()
      if isWanted(lines) { return lines }
      // Read before the pause: a command given by then has been read in the course of it.
      let isWaiting = shell.isWaiting
      if try await control.isTold(withinMilliseconds: Self.pause) {
        (silence, shellSilence) = (0, 0)
        continue
      }
      silence += 1
      shellSilence = isWaiting && shell.isWaiting ? shellSilence + 1 : 0
      if silence > Self.patience || shellSilence > Self.shellPatience { break }
    }
    let reason = shellSilence > 0 ? "; the shell waits for a command" : ""
    Issue.record(
      "waited in vain for \(what)\(reason); the screen is:\n\(lines.joined(separator: "\n"))",
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

  /// Whether a program uses the alternate screen.
  func isAlternateScreen() throws -> Bool {
    try control.ask("display-message -p '#{alternate_on}'") == ["1"]
  }

  /// The terminal's settings, as the shell sees them.
  func settings(_ name: String) async throws -> String {
    try enter("stty -g > \(name); echo written-\(name)")
    // Includes the prompt after it, so that the next picture shows all output of the shell.
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

/// The shell of a terminal, as the system shows it.
private struct ShellProcess {
  let id: pid_t
  /// The device of its terminal.
  let terminal: String

  /// Whether it has the terminal, sleeps, and has read all typed input. True also if it is gone.
  var isWaiting: Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
      let end = status.lastIndex(of: ")")
    else { return true }
    // State, parent, process group, session, terminal, the process group that has the terminal.
    let fields = status[end...].split(separator: " ").dropFirst()
    guard fields.count > 6 else { return false }
    let first = fields.startIndex
    return fields[first] == "S" && fields[first + 2] == fields[first + 5] && unreadCount == 0
  }

  /// Bytes of lines that were typed and not read; nil if that is unknown.
  private var unreadCount: Int32? {
    let descriptor = open(terminal, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? count : nil
  }
}

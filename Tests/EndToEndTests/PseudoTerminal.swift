import DatastoreTestSupport
import Foundation
import Glibc
import Testing

/// The program on a terminal that the test itself is: output goes into a picture, keys are bytes. Many times
/// faster than tmux, and it can hang up.
final class PseudoTerminal {
  /// How the program ended.
  enum End: Equatable, CustomStringConvertible {
    case status(Int32)
    case signal(Int32)

    var description: String {
      switch self {
      case .status(let status): "status \(status)"
      case .signal(let signal): "signal \(signal)"
      }
    }
  }

  /// The bytes that keys send, by their names.
  static let bytes: [String: String] = [
    "enter": "\r", "esc": "\u{1B}", "tab": "\t", "backspace": "\u{7F}", "space": " ",
    "up": "\u{1B}OA", "down": "\u{1B}OB", "right": "\u{1B}OC", "left": "\u{1B}OD",
    "home": "\u{1B}OH", "end": "\u{1B}OF", "pgup": "\u{1B}[5~", "pgdn": "\u{1B}[6~",
    "delete": "\u{1B}[3~", "f1": "\u{1B}OP", "f5": "\u{1B}[15~", "f10": "\u{1B}[21~",
    "shift-tab": "\u{1B}[Z",
    "shift-up": "\u{1B}[1;2A", "shift-down": "\u{1B}[1;2B", "shift-right": "\u{1B}[1;2C",
    "shift-left": "\u{1B}[1;2D", "alt-up": "\u{1B}[1;3A", "alt-down": "\u{1B}[1;3B",
    "alt-enter": "\u{1B}\r",
  ]

  /// Times of a quarter of a second in which nothing is written, before a test gives up.
  private static let pause: Int32 = 250
  private static let patience = 320

  /// The program's side of the terminal.
  let path: String
  let process: pid_t
  /// Can be read when the process has ended.
  let endOfProcess: Int32
  private(set) var screen: TerminalScreen
  private(set) var master: Int32
  private var ended: End?
  /// The last 64 kB or more of the output, for messages after the screen is restored.
  private(set) var tail: [UInt8] = []
  /// Whether the program has let go of the terminal: it has ended.
  private(set) var isClosed = false
  /// Bytes that were written so far.
  private(set) var byteCount = 0

  /// Starts the program, or with `command` another one that starts it.
  init(
    _ program: Program, _ arguments: [String], columns: Int = 80, rows: Int = 24,
    environment: [String: String] = [:], command: [String] = [Program.executable.path]
  ) throws {
    try program.keepIdentifiersInPlace()
    try program.keepPanels()
    screen = TerminalScreen(columns: columns, rows: rows)
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    // TIOCSPTLCK and TIOCGPTN: the work of unlockpt() and ptsname(), which Swift does not import.
    var (isLocked, number) = (0 as Int32, 0 as Int32)
    guard master >= 0, ioctl(master, 0x4004_5431, &isLocked) == 0,
      ioctl(master, 0x8004_5430, &number) == 0
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let path = "/dev/pts/\(number)"
    self.path = path
    var extent = winsize()
    (extent.ws_col, extent.ws_row) = (UInt16(columns), UInt16(rows))
    _ = ioctl(master, UInt(TIOCSWINSZ), &extent)
    let variables = program.environment.merging(["TERM": "xterm-256color", "EDITOR": "true"]) { $1 }
    process = try ChildProcess.start(
      command + arguments, environment: variables.merging(environment) { $1 },
      directory: program.directory.url, isSessionLeader: true
    ) { actions in
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    }
    endOfProcess = try Readiness.end(of: process)
  }

  deinit {
    if ended == nil {
      kill(process, SIGKILL)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
    if master >= 0 { close(master) }
    close(endOfProcess)
  }

  /// The lines of the screen.
  var lines: [String] { screen.lines }

  /// Sends text unchanged.
  func type(_ text: String) { send(Array(text.utf8)) }

  /// Presses keys by their names: `ctrl-s`, `enter`, `x`. Escape comes last; see `dismiss(_:)`.
  func press(_ keys: String...) {
    precondition(!keys.dropLast().contains("esc"), "A key right after Escape is one with Alt.")
    for key in keys { type(Self.text(of: key)) }
  }

  /// Presses Escape and waits until a text is gone. A key right after it would be one with Alt.
  func dismiss(_ text: String) async throws {
    press("esc")
    try await wait(for: "the end of “\(text)”") { lines in
      !lines.contains { $0.contains(text) }
    }
  }

  static func text(of key: String) -> String {
    if let text = bytes[key] { return text }
    if key.hasPrefix("ctrl-"), let letter = key.utf8.last {
      return String(UnicodeScalar(letter & 0x1F))
    }
    return key
  }

  /// Sends bytes, and meanwhile reads the program's output, for which it may wait.
  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty, master >= 0 {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        if !pump() { return }
      } else if errno != EINTR {
        return
      }
    }
  }

  /// Reads available output; waits some milliseconds for it at most. False if the program's side is closed.
  @discardableResult
  func pump(waiting milliseconds: Int32 = 20) -> Bool {
    guard master >= 0 else { return false }
    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) > 0 else { return true }
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(master, &buffer, buffer.count)
    if count > 0 {
      byteCount += count
      tail += buffer[..<count]
      if tail.count > 1 << 17 { tail.removeFirst(tail.count - 1 << 16) }
      screen.feed(buffer[..<count])
      return true
    }
    isClosed = count == 0 || errno != EAGAIN && errno != EINTR
    return !isClosed
  }

  /// Waits until the screen is as wanted, and returns it.
  @discardableResult
  func wait(
    for what: String, sourceLocation: SourceLocation = #_sourceLocation,
    until isWanted: ([String]) throws -> Bool
  ) async throws -> [String] {
    var silence = 0
    var isOver = false
    while true {
      let lines = lines
      if try isWanted(lines) { return lines }
      if isOver { break }
      let before = byteCount
      var hasEnded = false
      if master >= 0 {
        _ = await Readiness.wait(for: [master, endOfProcess], milliseconds: Self.pause)
        hasEnded = await Readiness.wait(for: [endOfProcess], milliseconds: 0)
      }
      // The last output is read, too.
      isOver = !pump(waiting: 0) || hasEnded && byteCount == before
      silence = byteCount == before ? silence + 1 : 0
      if silence > Self.patience { isOver = true }
    }
    let picture = lines.joined(separator: "\n")
    Issue.record(
      "waited in vain for \(what); the screen is:\n\(picture)", sourceLocation: sourceLocation)
    throw WaitedInVain(what: what)
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

  /// Waits until a box in the middle of the screen shows each text, wherever its lines are broken.
  func wait(
    said texts: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await wait(for: texts.joined(separator: ", "), sourceLocation: sourceLocation) { lines in
      let inside = lines.map { line in
        let parts = line.split(separator: "┃", omittingEmptySubsequences: false)
        return parts.count > 2 ? parts[1] : ""
      }
      let words = inside.joined(separator: " ").split(separator: " ").joined(separator: " ")
      return texts.allSatisfy { words.contains($0) }
    }
  }

  /// Gives the terminal another size.
  func resize(columns: Int, rows: Int) {
    var extent = winsize()
    (extent.ws_col, extent.ws_row) = (UInt16(columns), UInt16(rows))
    screen.resize(columns: columns, rows: rows)
    _ = ioctl(master, UInt(TIOCSWINSZ), &extent)
  }

  func send(signal: Int32) { kill(process, signal) }

  /// The process group that has the terminal.
  var foregroundGroup: pid_t? {
    let group = tcgetpgrp(master)
    return group > 0 ? group : nil
  }

  /// Closes the terminal, as a window is closed.
  func hangUp() {
    close(master)
    master = -1
  }

  /// Waits for the program's end.
  func end(sourceLocation: SourceLocation = #_sourceLocation) async throws -> End {
    var silence = 0
    var isOpen = master >= 0
    while ended == nil {
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process {
        // The last output is still there.
        while master >= 0 {
          let before = byteCount
          if !pump() || byteCount == before { break }
        }
        ended = status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
        break
      }
      // A program may wait until its output is read before it ends.
      let awaited = isOpen ? [master, endOfProcess] : [endOfProcess]
      silence = await Readiness.wait(for: awaited, milliseconds: Self.pause) ? 0 : silence + 1
      if isOpen { isOpen = pump(waiting: 0) }
      if silence > Self.patience {
        Issue.record("the program does not end", sourceLocation: sourceLocation)
        throw WaitedInVain(what: "the end")
      }
    }
    return ended ?? .status(-1)
  }

  /// Ends it as nothing else can, and waits for that.
  func killNow() async throws {
    kill(process, SIGKILL)
    _ = try await end()
  }
}

struct WaitedInVain: Error {
  let what: String
}

import DatastoreTestSupport
import Foundation

/// A client of a tmux server in control mode: it says when something is written into the terminal, and
/// answers commands without a process for each.
///
/// The protocol: <https://github.com/tmux/tmux/wiki/Control-Mode>.
final class TmuxControl {
  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private var unread: [UInt8] = []

  /// Milliseconds that an answer may take.
  private static let patience: Int32 = 120_000

  /// Starts the client.
  ///
  /// - Parameter words: the program and its arguments, which end in `attach`.
  init(_ words: [String], environment: [String: String]) throws {
    var (toClient, fromClient): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&toClient) == 0, pipe(&fromClient) == 0 else { throw POSIXError(.EMFILE) }
    for descriptor in toClient + fromClient { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    (input, output) = (toClient[1], fromClient[0])
    process = try ChildProcess.start(words, environment: environment, directory: nil) { actions in
      posix_spawn_file_actions_adddup2(&actions, toClient[0], STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&actions, fromClient[1], STDOUT_FILENO)
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    close(toClient[0])
    close(fromClient[1])
  }

  deinit {
    close(input)
    close(output)
    kill(process, SIGTERM)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// Runs a command and returns the lines of its answer.
  func ask(_ command: String) throws -> [String] {
    let bytes = Array((command + "\n").utf8)
    guard bytes.withUnsafeBytes({ write(input, $0.baseAddress, $0.count) }) == bytes.count else {
      throw TmuxFailure(arguments: [command], status: -1)
    }
    // The answer is between two lines, of which the second repeats the first; 1 means that this client has
    // sent the command.
    var mark: Substring?
    var lines: [String] = []
    while let line = readLine() {
      guard let begun = mark else {
        if line.hasPrefix("%begin "), line.hasSuffix(" 1") { mark = line.dropFirst("%begin".count) }
        continue
      }
      if line == "%end\(begun)" { return lines }
      if line == "%error\(begun)" { break }
      lines.append(line)
    }
    throw TmuxFailure(arguments: [command] + lines, status: -1)
  }

  /// Waits until the server reports something, most often that a program has written. False if nothing comes
  /// in time.
  func isTold(withinMilliseconds milliseconds: Int32) async throws -> Bool {
    // Output that came with an answer was written before the next look.
    guard await Readiness.wait(for: [output], milliseconds: milliseconds) else { return false }
    repeat {
      guard take() else { throw TmuxFailure(arguments: ["the server has ended"], status: -1) }
    } while await Readiness.wait(for: [output], milliseconds: 0)
    // Nobody waits for these lines, so they are not answers.
    if let end = unread.lastIndex(of: UInt8(ascii: "\n")) { unread.removeSubrange(...end) }
    return true
  }

  private func readLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        return line
      }
      var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, Self.patience) > 0, take() else { return nil }
    }
  }

  /// Reads available output; false at the end.
  private func take() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(output, &buffer, buffer.count)
    guard count > 0 else { return false }
    unread += buffer[..<count]
    return true
  }
}

package import Foundation

/// SQLite's own program, another process, that is fed through a pipe: far cheaper than a process for each
/// statement. Belongs to one test at a time.
package final class SQLiteProgram {
  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private var unread: [UInt8] = []
  private var count = 0

  /// Starts the program on a file.
  ///
  /// - Throws: `POSIXError`.
  package init(_ url: URL) throws {
    var toProgram: [Int32] = [0, 0]
    var fromProgram: [Int32] = [0, 0]
    guard pipe(&toProgram) == 0, pipe(&fromProgram) == 0 else { throw POSIXError(.EMFILE) }
    // Not handed on to other programs that tests start, which would keep it from seeing the end.
    for descriptor in toProgram + fromProgram { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    (input, output) = (toProgram[1], fromProgram[0])
    process = try ChildProcess.start(
      ["/usr/bin/env", "sqlite3", "-batch", url.path],
      environment: ProcessInfo.processInfo.environment, directory: nil
    ) { actions in
      posix_spawn_file_actions_adddup2(&actions, toProgram[0], STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&actions, fromProgram[1], STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, fromProgram[1], STDERR_FILENO)
    }
    close(toProgram[0])
    close(fromProgram[1])
  }

  deinit {
    close(input)
    close(output)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// Runs statements, or commands with a dot, and returns the lines of the answer; errors are among them.
  package func run(_ statements: String) -> [String] {
    count += 1
    let end = "--- end \(count) ---"
    // The empty statement ends one that was not ended.
    write("\(statements)\n;\n.print \(end)\n")
    var lines: [String] = []
    while let line = readLine(), line != end { lines.append(line) }
    return lines
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
      precondition(written > 0, "sqlite3 has ended")
      bytes = bytes.dropFirst(written)
    }
  }

  private func readLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        return line
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let read = Foundation.read(output, &buffer, buffer.count)
      guard read > 0 else { return nil }
      unread += buffer[..<read]
    }
  }
}

import Foundation

/// The output of a program that runs beside this one. The program is killed when the instance is released.
package final class ProgramOutput {
  private let child: pid_t
  private let output: Int32
  /// The program's standard error: a file without a name.
  private let errors: UnsafeMutablePointer<FILE>
  private var isEnded = false

  /// - Parameters:
  ///   - words: the program and its arguments, as for `startProgram`.
  ///   - input: the file that becomes its standard input, read from its current offset; nil for the standard
  ///     input of this process.
  /// - Throws: `SpawnFailure`.
  package init(_ words: [String], input: Int32? = nil) throws(SpawnFailure) {
    var ends: [Int32] = [-1, -1]
    guard let errors = tmpfile() else { throw SpawnFailure(code: errno) }
    guard pipe(&ends) == 0 else {
      let code = errno
      fclose(errors)
      throw SpawnFailure(code: code)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    do {
      child = try startProgram(words) { actions in
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO)
      }
    } catch {
      close(ends[0])
      fclose(errors)
      throw error
    }
    self.errors = errors
    output = ends[0]
  }

  deinit {
    close(output)
    fclose(errors)
    if !isEnded {
      kill(child, SIGKILL)
      _ = waitpid(child, nil, 0)
    }
  }

  /// Reads the next bytes.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  package func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    while true {
      let count = Foundation.read(output, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { return 0 }
    }
  }

  /// Waits until the program ends.
  ///
  /// - Returns: nil if the program succeeded; otherwise the first line of its standard error, or an empty
  ///   text.
  package func complaint() -> String? {
    if isEnded { return nil }
    isEnded = true
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    if status == 0 { return nil }
    var said = [UInt8](repeating: 0, count: 4096)
    let count = pread(fileno(errors), &said, said.count, 0)
    let text = String(decoding: said.prefix(max(0, count)), as: UTF8.self)
    return text.lines().first { !$0.allSatisfy(\.isWhitespace) }.map(String.init) ?? ""
  }
}

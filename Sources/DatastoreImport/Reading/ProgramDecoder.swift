import Basics
import Foundation

/// A compressed file that a program of the system decodes: xz, zstd or bzip2. The program reads the file itself, and is
/// ended when nothing more is wanted.
final class ProgramDecoder {
  typealias Fault = Decompressor.Fault

  private let program: String
  private let child: pid_t
  private let output: Int32
  /// What the program says is wrong: a file without a name.
  private let errors: UnsafeMutablePointer<FILE>
  private var isEnded = false

  /// - Parameter input: the compressed file, which is read from its place on.
  /// - Throws: `Fault` where there is no such program.
  init(_ program: String, input: Int32) throws(Fault) {
    self.program = program
    var ends: [Int32] = [-1, -1]
    guard let errors = tmpfile() else { throw Fault(reason: String(cString: strerror(errno))) }
    guard pipe(&ends) == 0 else {
      fclose(errors)
      throw Fault(reason: String(cString: strerror(errno)))
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    do throws(SpawnFailure) {
      child = try startProgram([program, "-dc"]) { actions in
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO)
      }
    } catch {
      close(ends[0])
      fclose(errors)
      throw Fault(
        reason: error.code == ENOENT
          ? "it is compressed, and the program “\(program)”, which decodes it, is not installed"
          : "the program “\(program)”, which decodes it, does not start: \(error.reason)")
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

  /// Decodes the next bytes.
  ///
  /// - Returns: how many; 0 at the end.
  /// - Throws: `Fault` where the data is damaged.
  func decode(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(Fault) -> Int {
    while true {
      let count = read(output, buffer.baseAddress, buffer.count)
      if count > 0 { return count }
      if count < 0, errno == EINTR { continue }
      try end()
      return 0
    }
  }

  private func end() throws(Fault) {
    if isEnded { return }
    isEnded = true
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status != 0 else { return }
    var said = [UInt8](repeating: 0, count: 500)
    let count = pread(fileno(errors), &said, said.count, 0)
    let text = String(decoding: said.prefix(max(0, count)), as: UTF8.self)
    let line = text.lines().first { !$0.allSatisfy(\.isWhitespace) }.map(String.init) ?? ""
    throw Fault(
      reason: "its compressed data is damaged"
        + (line.isEmpty ? "" : " (\(line.shownInMessage))"))
  }
}

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
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // What is blocked or caught here must not be there.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO)
    let words: [String] = [program, "-dc"]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var variables: [UnsafeMutablePointer<CChar>?] = ProcessInfo.processInfo.environment.map {
      strdup("\($0.key)=\($0.value)")
    }
    defer { for variable in variables { free(variable) } }
    variables.append(nil)
    var child = pid_t()
    let failure = posix_spawnp(&child, program, &actions, &attributes, arguments, variables)
    close(ends[1])
    guard failure == 0 else {
      close(ends[0])
      fclose(errors)
      throw Fault(
        reason: failure == ENOENT
          ? "it is compressed, and the program “\(program)”, which decodes it, is not installed"
          : "the program “\(program)”, which decodes it, does not start: "
            + String(cString: strerror(failure)))
    }
    self.child = child
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

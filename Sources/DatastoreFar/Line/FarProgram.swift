import Basics
package import DatastoreCore
import Foundation

/// The program that holds the other end of a line: `ssh`, or another command that leads to the far end.
package final class FarProgram: Sendable {
  private let process: pid_t
  /// The program's standard error: a file without a name.
  private let errors: Int32
  /// The status that `waitpid` returned; nil while the program runs.
  private let status = Lock<Int32?>(nil)

  private init(_ process: pid_t, _ errors: Int32) {
    self.process = process
    self.errors = errors
  }

  deinit {
    end()
    close(errors)
  }

  /// The open ends of a program's standard streams. The receiver has to close them.
  struct Streams {
    let program: FarProgram
    /// The end of a pipe to read the program's standard output from.
    let reading: Int32
    /// A socket to write the program's standard input to.
    let writing: Int32
  }

  /// Starts a program whose standard streams become the other end of a line.
  ///
  /// - Parameter words: the program and its arguments.
  /// - Throws: `StoreError.unreachable`. The first call throws `FarProgramMissing`.
  package static func line(_ words: [String], named name: String) throws -> FarLine {
    let streams = try start(words, named: name)
    return FarLine(
      reading: streams.reading, writing: streams.writing, named: name, program: streams.program)
  }

  /// - Throws: `StoreError.unreachable`.
  static func start(_ words: [String], named name: String) throws -> Streams {
    func refused(_ reason: String) -> StoreError { .unreachable(server: name, detail: reason) }
    var (toThere, fromThere) = ([Int32](repeating: -1, count: 2), [Int32](repeating: -1, count: 2))
    guard let file = tmpfile() else { throw refused(String(cString: strerror(errno))) }
    let errors = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3)
    fclose(file)
    guard errors >= 0, socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &toThere) == 0,
      pipe(&fromThere) == 0
    else {
      throw refused(String(cString: strerror(errno)))
    }
    for end in toThere + fromThere { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process: pid_t
    do {
      process = try startProgram(words) { actions in
        posix_spawn_file_actions_adddup2(&actions, toThere[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fromThere[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
      }
    } catch {
      for end in toThere + fromThere + [errors] { close(end) }
      throw refused("“\(words[0])” cannot be started (\(error.reason))")
    }
    close(toThere[0])
    close(fromThere[1])
    return Streams(
      program: FarProgram(process, errors), reading: fromThere[0], writing: toThere[1])
  }

  /// Whether the program has ended by itself.
  var hasEnded: Bool {
    status.withLock { known in
      var status: Int32 = 0
      if known == nil, waitpid(process, &status, WNOHANG) == process { known = status }
      return known != nil
    }
  }

  /// The exit status as a shell reports it: 128 and the signal for a killed program. The program must have
  /// ended.
  var exitStatus: Int32? {
    status.withLock { $0 }.map { $0 & 0x7F == 0 ? ($0 >> 8) & 0xFF : 128 + ($0 & 0x7F) }
  }

  /// The last line of the program's standard error that is not blank; nil if there is none.
  func complaint() -> String? {
    var said = [UInt8](repeating: 0, count: 4096)
    let size = Int(lseek(errors, 0, SEEK_END))
    let count = pread(errors, &said, said.count, off_t(max(0, size - said.count)))
    let text = String(decoding: said.prefix(max(0, count)), as: UTF8.self)
    return text.lines().map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .last { !$0.isEmpty }
  }

  /// The error to throw if the far end has not greeted.
  func failure(_ name: String) -> any Error {
    end()
    let complaint = complaint()
    switch exitStatus {
    // The exit status of ssh if it cannot connect: ssh(1).
    case 255:
      return StoreError.unreachable(server: name, detail: complaint ?? "nothing was said of why")
    // The exit statuses of shells for programs that do not exist or cannot be run:
    // <https://pubs.opengroup.org/onlinepubs/9699919799/utilities/V3_chap02.html>.
    case 126, 127: return FarProgramMissing(name: name, complaint: complaint)
    // sudo and kubectl have no exit status of their own for this.
    case 1 where complaint?.place(of: "not found") != nil:
      return FarProgramMissing(name: name, complaint: complaint)
    default:
      return StoreError.cannotOpen(
        path: name, detail: complaint ?? "no datastore answers at the other end")
    }
  }

  /// Waits up to two seconds for the program, whose input has ended, and then kills it.
  func end() {
    status.withLock { known in
      if known != nil { return }
      var status: Int32 = 0
      for _ in 0..<200 {
        let done = waitpid(process, &status, WNOHANG)
        if done == process {
          known = status
          return
        }
        usleep(10_000)
      }
      kill(process, SIGKILL)
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      known = status
    }
  }
}

/// The error that no “datastore” was found at the other end.
package struct FarProgramMissing: Error, CustomStringConvertible {
  let name: String
  let complaint: String?

  /// The same error for callers that cannot bring the program there.
  package var storeError: StoreError {
    .cannotOpen(
      path: name,
      detail:
        "“datastore” is not installed there, or not in the PATH (\(complaint ?? "nothing was said"))"
    )
  }

  package var description: String { storeError.description }
}

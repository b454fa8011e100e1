import DatastoreTestSupport
import Foundation
import Glibc

/// Waiting until the program has handled its input. The kernel's reports prove all of it, so that it holds
/// however busy the machine is.
extension PseudoTerminal {
  /// Looks at a program that neither writes nor rests, before a test gives up.
  private static let mostLooks = 30_000
  /// Ends Escape: the sequence of a key that no terminal has. Without it the next key would be pressed with
  /// Alt, and the program would wait for one.
  static let endOfEscape = "\u{1B}[99z"

  /// Whether the program has read all input, the test has read all output, and the program waits for an event
  /// that no server and no other program owes it. Clocks that it has set are unknown.
  var isQuiet: Bool {
    let activity = ProcessActivity(of: process)
    return activity.isIdle && hasReadAll && !Self.hasNews(master)
      && activity == ProcessActivity(of: process)
  }

  /// Whether no input is left to be read. Asking makes the kernel deliver bytes that are on their way.
  private var hasReadAll: Bool {
    let descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    // The program has ended.
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    return !Self.hasNews(descriptor)
  }

  /// Whether something can be read on a side of the terminal, or the other side is closed.
  private static func hasNews(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  /// Presses keys by their names, and returns when the program has handled them; false if it has ended.
  ///
  /// - Parameter onAnswer: called when the keys are read and output was written, or none is.
  func answer(_ keys: [String], onAnswer: () -> Void = {}) async throws -> Bool {
    type(keys.map { Self.text(of: $0) + ($0 == "esc" ? Self.endOfEscape : "") }.joined())
    return try await settle(onAnswer: onAnswer)
  }

  /// Returns when the program is quiet, and its screen is as it then stays; false when it has ended.
  func settle(onAnswer: () -> Void = {}) async throws -> Bool {
    let begin = byteCount
    var isAnswered = false
    var silence = 0
    while silence < Self.mostLooks {
      let before = byteCount
      var count = 0
      repeat {
        count = byteCount
        guard pump(waiting: 0) else { return false }
      } while byteCount > count
      let isQuiet = isQuiet
      if !isAnswered, isQuiet || byteCount > begin && hasReadAll {
        isAnswered = true
        onAnswer()
      }
      if await Readiness.wait(for: [endOfProcess], milliseconds: 0) { return false }
      if isQuiet { return true }
      _ = await Readiness.wait(for: [master, endOfProcess], milliseconds: 4)
      silence = byteCount == before ? silence + 1 : 0
    }
    throw WaitedInVain(what: "a program that waits for keys")
  }
}

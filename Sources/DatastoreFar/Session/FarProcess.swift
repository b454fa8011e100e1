import Basics
import Foundation

/// A far end that was started, so that the next one can tell whether it has ended.
///
/// A line that is gone for one end may still be there for the other: it may be about to save.
struct FarProcess: Codable, Sendable {
  /// The start of the machine and the name space of its process numbers: within both, `number` means the
  /// same.
  private let machine: String
  private let number: Int32
  /// When it was started, in ticks of that machine's clock, since numbers are given again.
  private let start: String

  /// This process; nil where the system does not say enough about it.
  init?() {
    guard let machine = Self.machine, let status = Status(of: getpid()) else { return nil }
    self.machine = machine
    number = getpid()
    start = status.start
  }

  /// Ends the process where it still runs, and waits until it has ended.
  ///
  /// Only another far end of the same file is ended: its arguments are those of this one.
  ///
  /// - Returns: false where nothing can be known of it here, or it does not end within five seconds.
  func end() -> Bool {
    guard machine == Self.machine, number > 1, number != getpid() else { return false }
    guard isRunning else { return true }
    guard let own = Self.arguments(of: getpid()), Self.arguments(of: number) == own,
      kill(number, SIGTERM) == 0 || errno == ESRCH
    else { return false }
    for _ in 0..<500 {
      if !isRunning { return true }
      usleep(10_000)
    }
    return false
  }

  private var isRunning: Bool {
    guard let status = Status(of: number) else { return false }
    return status.start == start && !status.hasEnded
  }

  /// The start of the machine, and the name space: random_bytes(4) and namespaces(7) have the two names.
  private static var machine: String? {
    let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    let space = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
    guard let boot, let space else { return nil }
    return boot.trimmingCharacters(in: .whitespacesAndNewlines) + " " + space
  }

  /// What it was started with, but for the path of the program.
  private static func arguments(of number: Int32) -> [Data]? {
    guard let line = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") else {
      return nil
    }
    return Array(line.split(separator: 0, omittingEmptySubsequences: false).dropFirst())
  }

  /// What the system says of a process.
  private struct Status {
    let start: String
    /// Whether it only waits to be noticed by the process that has started it.
    let hasEnded: Bool

    /// Reads the 3rd and the 22nd field of `/proc/N/stat`, behind a name in brackets that may have anything
    /// in it: proc(5). Nil where there is no such process.
    init?(of number: Int32) {
      guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
        let bracket = text.lastPlace(of: ")")
      else { return nil }
      let fields = text.text(after: bracket).split(whereSeparator: \.isWhitespace)
      guard fields.count > 19 else { return nil }
      start = String(fields[19])
      hasEnded = ["Z", "X", "x"].contains(fields[0])
    }
  }
}

import Basics
import Foundation

/// Identifies a far end, so that a later one can find out whether it has ended.
///
/// A line that is gone for one end may still exist for the other, which may be about to save.
struct FarProcess: Codable, Sendable {
  /// The boot of the machine and the namespace of its process ids: within both, `number` is unambiguous.
  private let machine: String
  private let number: Int32
  /// The start time in ticks of that machine's clock, since process ids are reused.
  private let start: String

  /// Identifies this process; nil if the system reports too little about it.
  init?() {
    guard let machine = Self.machine, let status = Status(of: getpid()) else { return nil }
    self.machine = machine
    number = getpid()
    start = status.start
  }

  /// Kills the process if it still runs, and waits until it has ended.
  ///
  /// Kills only another far end of the same file: one with the same arguments as this process.
  ///
  /// - Returns: false if the process cannot be identified here, or does not end within five seconds.
  func end() -> Bool {
    guard machine == Self.machine, number > 1, number != getpid() else { return false }
    guard isRunning else { return true }
    guard let own = Self.arguments(of: getpid()), Self.arguments(of: number) == own,
      kill(number, SIGTERM) == 0 || errno == ESRCH
    else { return false }
    // One that is stopped ends when it is to go on.
    kill(number, SIGCONT)
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

  /// The boot id and the namespace: random(4) and namespaces(7) describe them.
  private static var machine: String? {
    let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    let space = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
    guard let boot, let space else { return nil }
    return boot.trimmingCharacters(in: .whitespacesAndNewlines) + " " + space
  }

  /// The arguments of a process, without the path of its program.
  private static func arguments(of number: Int32) -> [Data]? {
    guard let line = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") else {
      return nil
    }
    return Array(line.split(separator: 0, omittingEmptySubsequences: false).dropFirst())
  }

  /// The system's status of a process.
  private struct Status {
    let start: String
    /// Whether it is a zombie: it has ended, and its parent has not yet waited for it.
    let hasEnded: Bool

    /// Reads the 3rd and the 22nd field of `/proc/N/stat`, after a name in brackets that may contain any
    /// characters: proc(5). nil if there is no such process.
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

#if PostgreSQL
import CServerWaits
import Foundation
import Synchronization

/// The processes of a server on this machine, and their processor time.
final class ServerProcesses: Sendable {
  /// The one that starts all others.
  private let parent: Int32
  /// The last known processor time of each, also of those that have ended.
  private let nanoseconds = Mutex<[Int32: Int64]>([:])

  /// - Parameter process: one of a connection.
  init(of process: Int32) throws {
    guard let parent = Self.parent(of: process) else {
      throw ServerFailure(
        description:
          "The server does not run on this machine, so that nobody can see what it spends.")
    }
    self.parent = parent
  }

  /// The processor time of all of them so far, and the number of waits of this process for them.
  var account: ServerAccount {
    let waits = server_waits()
    return nanoseconds.withLock { nanoseconds in
      for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
        guard let process = Int32(name), Self.parent(of: process) == parent else { continue }
        nanoseconds[process] = max(Self.nanoseconds(process), nanoseconds[process] ?? 0)
      }
      return ServerAccount(nanoseconds: nanoseconds.values.reduce(0, +), waits: waits)
    }
  }

  /// https://docs.kernel.org/scheduler/sched-stats.html: the first number is the time spent on a processor.
  private static func nanoseconds(_ process: Int32) -> Int64 {
    let text = (try? String(contentsOfFile: "/proc/\(process)/schedstat", encoding: .utf8)) ?? ""
    return text.split(separator: " ").first.flatMap { Int64($0) } ?? 0
  }

  /// https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the second field behind the name of the
  /// program.
  private static func parent(of process: Int32) -> Int32? {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let fields = text?.split(separator: ")").last?.split(separator: " ")
    return fields.flatMap { $0.count > 1 ? Int32($0[1]) : nil }
  }
}
#endif

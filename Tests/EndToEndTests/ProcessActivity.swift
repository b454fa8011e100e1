import Foundation

/// The activity of a process's threads at one moment, as the kernel reports it.
///
/// A process that works through a file has a thread that runs or waits for the disk. One that waits for a
/// server, for another program, or for a lock to be free is blocked in a call that shows it. Two equal
/// observations of threads that wait for nothing of the kind prove that none has run between them.
struct ProcessActivity: Equatable {
  private struct Thread: Equatable {
    /// Whether it sleeps. A thread that was woken and has not run yet does not sleep, but is still blocked in
    /// its call.
    let isAsleep: Bool
    /// The number of the call in which it is blocked; `running` if it is not. Nil if the kernel does not
    /// report it.
    let call: String?
    /// How long it has run, and how often.
    let runs: String?
  }

  private let threads: [String: Thread]

  /// Calls in which a thread waits for a future event, such as work, input or a signal: futex, epoll_wait,
  /// epoll_pwait and rt_sigsuspend, whose numbers Swift does not import.
  #if arch(arm64)
  private static let idleCalls: Set<String> = ["98", "22", "133"]
  #else
  private static let idleCalls: Set<String> = ["202", "232", "281", "130"]
  #endif

  /// Whether no thread works, or waits for an answer.
  var isIdle: Bool {
    threads.values.allSatisfy { thread in
      thread.isAsleep && thread.call.map(Self.idleCalls.contains) ?? true
    }
  }

  init(of process: pid_t) {
    let folder = "/proc/\(process)/task"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    threads = names.reduce(into: [:]) { threads, name in
      let call = Self.text("\(folder)/\(name)/syscall")?.prefix { $0 != " " && $0 != "\n" }
      // After its name, which may have anything in it.
      let state = Self.text("\(folder)/\(name)/stat")?.split(separator: ")").last?.dropFirst().first
      threads[name] = Thread(
        isAsleep: state == "S", call: call.map { String($0) },
        runs: Self.text("\(folder)/\(name)/schedstat"))
    }
  }

  private static func text(_ path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }
}

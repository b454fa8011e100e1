import CMalloc
import Foundation

/// The memory of this process.
enum Memory {
  /// Bytes that the allocator has given out.
  static var allocatedBytes: Int {
    let information = mallinfo2()
    return Int(information.uordblks) + Int(information.hblkhd)
  }

  /// The most memory the process has had since `forgetPeak()`, in bytes; 0 where Linux does not say.
  static var peak: Int { status("VmHWM:") }

  /// The memory the process has now, in bytes.
  static var resident: Int { status("VmRSS:") }

  /// Gives free memory back and starts to look for a new peak.
  static func forgetPeak() {
    malloc_trim(0)
    // https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html; if it is not allowed, peaks count
    // from the start of the program.
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  private static func status(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap {
      Int($0)
    }
    return (kibibytes ?? 0) * 1024
  }

  /// The memory of the machine in bytes.
  static var machine: UInt64 { ProcessInfo.processInfo.physicalMemory }
}

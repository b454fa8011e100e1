package import Foundation

/// The POSIX locks that this process holds on a file, as the system tells them.
package enum FileLocks {
  /// Kind and range of each lock: `READ 1073741826 1073742335`.
  ///
  /// - Throws: what the system says when it cannot be asked.
  package static func held(on url: URL) throws -> Set<String> {
    var status = stat()
    guard stat(url.path, &status) == 0 else { return [] }
    let device = UInt64(status.st_dev)
    // What the C library's macros major() and minor() do, which Swift is not shown.
    let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
    let minor = device & 0xFF | (device >> 12) & ~0xFF
    func hexadecimal(_ number: UInt64) -> String {
      let digits = String(number, radix: 16)
      return digits.count < 2 ? "0\(digits)" : digits
    }
    let file = "\(hexadecimal(major)):\(hexadecimal(minor)):\(status.st_ino)"
    let process = "\(ProcessInfo.processInfo.processIdentifier)"
    var held: Set<String> = []
    for line in try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n") {
      // 3: POSIX  ADVISORY  READ 20079 fe:00:5342685 1073741826 1073742335
      let fields = line.split(separator: " ").map(String.init)
      guard fields.count == 8, fields[1] == "POSIX", fields[4] == process, fields[5] == file
      else { continue }
      held.insert("\(fields[3]) \(fields[6]) \(fields[7])")
    }
    return held
  }
}

package import Foundation

/// The POSIX locks that this process holds on a file, as the system reports them.
package enum FileLocks {
  /// Kind and range of each lock: `READ 1073741826 1073742335`.
  ///
  /// By the process's own descriptors: `/proc/locks` lists the same for all processes, but in pieces, and may
  /// leave out some while others come and go.
  package static func held(on url: URL) -> Set<String> {
    var file = stat()
    guard stat(url.path, &file) == 0 else { return [] }
    var held: Set<String> = []
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for descriptor in descriptors {
      var status = stat()
      guard stat("/proc/self/fd/\(descriptor)", &status) == 0, status.st_dev == file.st_dev,
        status.st_ino == file.st_ino,
        // A descriptor that is closed meanwhile has no locks.
        let text = try? String(
          contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)
      else { continue }
      for line in text.split(separator: "\n") where line.hasPrefix("lock:") {
        // lock:  1: POSIX  ADVISORY  READ 20079 fe:00:5342685 1073741826 1073742335
        let fields = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard fields.count == 9, fields[2] == "POSIX" else { continue }
        held.insert("\(fields[4]) \(fields[7]) \(fields[8])")
      }
    }
    return held
  }
}

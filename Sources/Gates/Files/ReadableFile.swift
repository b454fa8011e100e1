internal import Glibc

/// Checks for files that someone names for reading, so that no read waits or goes on for ever.
package enum ReadableFile {
  /// Why a path is not opened, as the end of a sentence; nil if it can be opened, or if there is no such
  /// file.
  ///
  /// A named pipe would block until someone writes to it. The pipes that the shell makes (`<(…)`) and
  /// standard input have a writer, and are in `/dev` or `/proc`.
  package static func unreadableReason(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFIFO where !path.hasPrefix("/dev/") && !path.hasPrefix("/proc/"):
      return
        "it is a named pipe; redirect it to standard input instead"
    case S_IFCHR where path != "/dev/null" && !path.hasPrefix("/dev/std"):
      return "it is a device, not a file"
    case S_IFBLK: return "it is a device, not a file"
    case S_IFSOCK: return "it is a socket, not a file"
    default: return nil
    }
  }

  /// Whether a path leads to something that can be read only once, from start to end: a named pipe, a pipe of
  /// the shell (`<(…)`), or a terminal.
  package static func isPipe(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFIFO: return true
    case S_IFCHR: return path.hasPrefix("/dev/std")
    default: return false
    }
  }

  /// Returns the bytes of a small file, such as settings.
  ///
  /// - Parameter most: the largest number of bytes that the file may have.
  /// - Throws: `FileFault`.
  package static func contents(of path: String, atMost most: Int) throws(FileFault) -> [UInt8] {
    if let unreadableReason = unreadableReason(path) { throw FileFault(path, unreadableReason) }
    // Does not block, should the file have become a pipe since.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileFault(path, errno) }
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFL, 0)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw FileFault(path, errno)
      }
      if count == 0 { return bytes }
      bytes += piece[..<count]
      if bytes.count > most { throw FileFault(path, "it is larger than \(most) bytes") }
    }
  }
}

/// A fault of a file: its path and the reason.
package struct FileFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let path: String
  /// The reason, as the end of a sentence.
  package let reason: String

  package init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  /// - Parameter number: the `errno` of the failed call.
  init(_ path: String, _ number: Int32) {
    self.init(path, String(cString: strerror(number)))
  }

  package var description: String { "\(path): \(reason)" }
}

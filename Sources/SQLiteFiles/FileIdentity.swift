import Glibc

/// The identity of the file at a path: SQLite continues to write a file that was removed or replaced, and
/// everything saved there is lost.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  package let isEmpty: Bool

  /// nil when there is no file.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    isEmpty = status.st_size == 0
  }

  /// A name that no other file of this machine has at the same time.
  package var name: String { "\(device)-\(number)" }

  /// Whether both are the same file, whatever its content.
  package func isSame(as other: FileIdentity) -> Bool {
    device == other.device && number == other.number
  }

  /// The path of a file without symbolic links, beside which SQLite keeps its log; the path itself when there
  /// is no such file.
  package static func realPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

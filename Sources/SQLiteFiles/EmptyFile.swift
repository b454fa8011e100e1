import Glibc

/// A file without content, which SQLite then fills.
package enum EmptyFile {
  /// Makes a file that nobody can read or write who cannot do so with the original, except its owner.
  ///
  /// - Returns: whether it was made; otherwise `errno` has the reason.
  package static func make(_ path: String, like original: String) -> Bool {
    var status = stat()
    let mode = stat(original, &status) == 0 ? status.st_mode & 0o666 : 0
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    // The system's mask does not apply to a copy. Not every file system has modes.
    fchmod(descriptor, mode | 0o600)
    close(descriptor)
    return true
  }
}

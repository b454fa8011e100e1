import Foundation
import Glibc

/// Files with a well-known name that must belong to this user.
enum PrivateFile {
  /// The file belongs to someone else.
  struct NotPrivateError: Error, CustomStringConvertible {
    let description: String
  }

  /// Opens a file for reading; nil if it does not exist. Follows no link and waits for no pipe.
  ///
  /// - Throws: `NotPrivateError`.
  static func open(_ path: String) throws(NotPrivateError) -> Int32? {
    let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 {
      guard errno == ELOOP else { return nil }
      throw NotPrivateError(description: sentence(path, "is a link"))
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      close(descriptor)
      return nil
    }
    if status.st_mode & S_IFMT != S_IFREG {
      close(descriptor)
      throw NotPrivateError(description: sentence(path, "is not a regular file"))
    }
    if status.st_uid != geteuid() {
      close(descriptor)
      let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) }
      throw NotPrivateError(
        description: sentence(path, "belongs to \(owner ?? "user \(status.st_uid)")"))
    }
    return descriptor
  }

  private static func sentence(_ path: String, _ what: String) -> String {
    "\(path), where unsaved changes of an earlier session would be, \(what), so nothing of it is restored."
  }

  static func size(of descriptor: Int32) -> Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Claims a name for this process: creates an empty file, or opens an abandoned one, and locks it. nil if
  /// the name is someone else's.
  static func claim(_ path: String) -> Int32? {
    let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    var descriptor = Glibc.open(path, flags | O_CREAT | O_EXCL, 0o600)
    if descriptor < 0 { descriptor = Glibc.open(path, flags) }
    guard descriptor >= 0 else { return nil }
    var held = stat()
    var named = stat()
    // Another file may have got the name before the lock was taken.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &held) == 0,
      lstat(path, &named) == 0, held.st_ino == named.st_ino, held.st_dev == named.st_dev,
      held.st_mode & S_IFMT == S_IFREG, held.st_uid == geteuid(), held.st_size == 0
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}

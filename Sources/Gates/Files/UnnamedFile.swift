import Foundation

/// A temporary file for data that is too large for memory. It has no name, so it disappears with this object,
/// or with the process.
package final class UnnamedFile: Sendable {
  /// Why the file cannot be used.
  package struct Fault: Error {
    package let path: String
    package let reason: String
  }

  package let descriptor: Int32
  private let path: String

  /// Creates a file in the directory for temporary files.
  package init() throws(Fault) {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("datastore-\(UUID().uuidString)").path
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Fault(path: path, reason: String(cString: strerror(errno))) }
    unlink(path)
  }

  deinit { close(descriptor) }

  /// Writes bytes at an offset.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(Fault) {
    var written = 0
    while written < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written,
        off_t(offset + written))
      guard count >= 0 || errno == EINTR else {
        throw Fault(path: path, reason: String(cString: strerror(errno)))
      }
      written += max(0, count)
    }
  }

  /// Reads bytes at an offset.
  ///
  /// - Returns: the number of bytes; 0 at the end of the file.
  package func read(
    at offset: Int, into buffer: UnsafeMutableBufferPointer<UInt8>, most: Int = .max
  ) throws(Fault) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, min(buffer.count, most), off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else {
        throw Fault(path: path, reason: String(cString: strerror(errno)))
      }
    }
  }
}

import Foundation

/// Locks that other processes hold on a file.
enum FileLock {
  /// Seconds to wait for a lock when opening and reading: a person is waiting.
  static let timeout: TimeInterval = 1.5
}

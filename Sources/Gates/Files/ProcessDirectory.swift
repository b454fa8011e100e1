package import Foundation

/// A directory of this process in the system's temporary directory, which no other user can read.
///
/// The name contains the process id, so that creating a directory removes those of processes that ended
/// without removing theirs.
package struct ProcessDirectory: Sendable {
  package let url: URL

  /// Creates the directory.
  ///
  /// - Parameter prefix: the common prefix of the names of these directories.
  /// - Throws: `CocoaError` when it cannot be created.
  package init(prefix: String) throws {
    let parent = FileManager.default.temporaryDirectory
    Self.removeRemains(prefix, in: parent)
    let id = ProcessInfo.processInfo.processIdentifier
    url = parent.appendingPathComponent("\(prefix)\(id)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  /// Removes what processes that have ended left behind: files and directories whose names begin
  /// with a prefix and the id of a process.
  package static func removeRemains(_ prefix: String, in parent: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let process = name.dropFirst(prefix.count).prefix { $0.isNumber }
      guard let id = Int32(process), kill(id, 0) != 0, errno == ESRCH else { continue }
      // What cannot be removed does no harm; the next process tries again.
      try? FileManager.default.removeItem(at: parent.appendingPathComponent(name))
    }
  }

  /// Removes the directory with its content. If that fails, the next one that is created tries again.
  package func remove() {
    try? FileManager.default.removeItem(at: url)
  }
}

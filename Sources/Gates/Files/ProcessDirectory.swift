package import Foundation

/// A directory of this process among the system's temporary ones, which no other user can read.
///
/// Its name says the process: what processes have left behind that ended without removing it is removed when
/// the next one is made.
package struct ProcessDirectory: Sendable {
  package let url: URL

  /// Makes the directory.
  ///
  /// - Parameter prefix: what the names of all directories of the kind begin with.
  /// - Throws: `CocoaError` when it cannot be created.
  package init(prefix: String) throws {
    let parent = FileManager.default.temporaryDirectory
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let process = name.dropFirst(prefix.count).prefix { $0.isNumber }
      guard let id = Int32(process), kill(id, 0) != 0, errno == ESRCH else { continue }
      try? FileManager.default.removeItem(at: parent.appendingPathComponent(name))
    }
    let id = ProcessInfo.processInfo.processIdentifier
    url = parent.appendingPathComponent("\(prefix)\(id)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  /// Removes the directory with what is in it. What cannot be removed is tried again when the next one is
  /// made.
  package func remove() {
    try? FileManager.default.removeItem(at: url)
  }
}

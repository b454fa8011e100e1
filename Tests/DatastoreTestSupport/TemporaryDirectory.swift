package import Foundation

/// A directory of its own for one test, removed with everything in it when it is released.
package final class TemporaryDirectory: Sendable {
  /// The directory, without symbolic links in its path.
  package let url: URL

  /// - Throws: what the system says when it cannot make the directory.
  package init() throws {
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("datastore-tests-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// A file in it, which need not exist.
  package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// The path of a file in it, which need not exist.
  package func path(_ name: String) -> String { file(name).path }

  /// Writes a file, with the directories that it lies in, and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  /// The names of the files in it, sorted, hidden ones included.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}

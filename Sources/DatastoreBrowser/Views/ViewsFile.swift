import DatastoreCore
import Foundation

/// The file that keeps the views of one store between runs.
struct ViewsFile: Sendable {
  struct Contents: Hashable, Sendable, Codable {
    /// The view of each entity, by its name.
    var views: [String: KeptView] = [:]
    /// The entity that was shown last.
    var shown: String?
    /// The open tabs other than the current one.
    var tabs: [Int: KeptView] = [:]
    /// The number of the current tab.
    var tab = 1
    var named: [String: KeptView] = [:]

    /// The content without cursors, which move all the time.
    var withoutCursors: Contents {
      var contents = self
      contents.views = views.mapValues(\.withoutCursor)
      contents.tabs = tabs.mapValues(\.withoutCursor)
      return contents
    }
  }

  /// The encoded form of the file.
  private struct Document: KeptDocument {
    var store: String
    var contents: Contents
  }

  private let file: KeptFile

  var url: URL { file.url }

  /// - Parameter directory: the program's state directory. With nil, as for stores in memory, nothing is
  ///   kept.
  init?(of subject: KeptSubject?, in directory: URL?) {
    guard let file = KeptFile("views", of: subject, in: directory) else { return nil }
    self.file = file
  }

  /// Reads the file; a missing or malformed file is empty. Waits for the disk.
  func read() -> Contents { (try? file.read(Document.self)?.contents) ?? Contents() }

  /// Replaces the file. Waits for the disk.
  ///
  /// - Throws: `CocoaError` or `FileFault` if the file cannot be written.
  func write(_ contents: Contents) throws {
    try file.write(Document(store: file.store, contents: contents))
  }
}

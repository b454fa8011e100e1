import DatastoreCore
import Foundation

/// The file in which the views of one store outlive the program.
struct ViewsFile: Sendable {
  /// What is kept.
  struct Contents: Hashable, Sendable, Codable {
    /// The view of each entity, by its name.
    var views: [String: KeptView] = [:]
    /// The entity that was shown last.
    var shown: String?
    /// The tabs that were open besides the one that was shown.
    var tabs: [Int: KeptView] = [:]
    /// The tab that was shown.
    var tab = 1
    /// The views with names.
    var named: [String: KeptView] = [:]

    /// The same without cursors, which move all the time.
    var withoutCursors: Contents {
      var contents = self
      contents.views = views.mapValues(\.withoutCursor)
      contents.tabs = tabs.mapValues(\.withoutCursor)
      return contents
    }
  }

  /// How it is written.
  private struct Document: KeptDocument {
    var store: String
    var contents: Contents
  }

  private let file: KeptFile

  var url: URL { file.url }

  /// - Parameter directory: where the program keeps its state. Nil, as for stores in memory, keeps
  ///   nothing.
  init?(of subject: KeptSubject?, in directory: URL?) {
    guard let file = KeptFile("views", of: subject, in: directory) else { return nil }
    self.file = file
  }

  /// Reads the file; where there is none, or it cannot be understood, nothing is kept. Waits for the disk.
  func read() -> Contents { (try? file.read(Document.self)?.contents) ?? Contents() }

  /// Replaces the file. Waits for the disk.
  ///
  /// - Throws: `CocoaError` or `FileFault` when the file cannot be written.
  func write(_ contents: Contents) throws {
    try file.write(Document(store: file.store, contents: contents))
  }
}

extension Lane {
  /// Writes of the file of views.
  static let views = Lane("views", .inOrder, atEnd: .completed)
}

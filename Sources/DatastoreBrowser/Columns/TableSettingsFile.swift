import DatastoreCore
import Foundation
import Gates

/// The file in which decisions about the columns of one store's tables outlive the program.
///
/// There is one for each store, since two programs may have two stores open. It is a comfort and no more:
/// when it cannot be read or written, the browser says so once and goes on.
struct TableSettingsFile: Sendable {
  /// What the file says.
  struct Contents: Sendable {
    /// By entity name.
    var columns: [String: ColumnSettings] = [:]
    /// Why nothing could be read, as a sentence.
    var fault: String?
  }

  /// How it is written.
  private struct Document: Codable {
    /// The path of the store, since the file's name does not tell it.
    var store: String
    var columns: [String: ColumnSettings]
  }

  let url: URL
  private let store: String

  /// - Parameter directory: where the program keeps its state. Nil, as for stores in memory, keeps
  ///   nothing.
  init?(of store: URL?, in directory: URL?) {
    guard let store, let directory else { return nil }
    self.store = store.resolvingSymlinksInPath().standardizedFileURL.path
    let name = Fingerprint(self.store).name
    url = directory.appendingPathComponent("columns", isDirectory: true)
      .appendingPathComponent("\(name).json")
  }

  /// Reads the file; a missing one says nothing. Waits for the disk.
  func read() -> Contents {
    guard let bytes = try? ReadableFile.contents(of: url.path, atMost: 1 << 24) else {
      return Contents()
    }
    do {
      let document = try JSONDecoder().decode(Document.self, from: Data(bytes))
      // Another store whose path happens to have the same hash.
      guard document.store == store else { return Contents() }
      return Contents(columns: document.columns)
    } catch {
      return Contents(
        fault: "The arrangement of columns in \(url.path) cannot be read and is not used; "
          + "delete the file to be rid of this message.")
    }
  }

  /// Keeps what is decided about one entity, and what the file says of others. Waits for the disk.
  ///
  /// - Throws: `CocoaError` or `FileFault` when the file cannot be written.
  func write(_ settings: ColumnSettings, of entity: String) throws {
    var columns = read().columns
    columns[entity] = settings.isDefault ? nil : settings
    if columns.isEmpty, !FileManager.default.fileExists(atPath: url.path) { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let data = try encoder.encode(Document(store: store, columns: columns))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try NewFile.write(data, to: url.path)
  }
}

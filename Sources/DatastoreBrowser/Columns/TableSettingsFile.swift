import DatastoreCore
import Foundation

/// The file in which decisions about the columns of one store's tables outlive the program.
struct TableSettingsFile: Sendable {
  /// What the file says.
  struct Contents: Sendable {
    /// By entity name.
    var columns: [String: ColumnSettings] = [:]
    /// Why nothing could be read, as a sentence.
    var fault: String?
  }

  /// How it is written.
  private struct Document: KeptDocument {
    var store: String
    var columns: [String: ColumnSettings]
  }

  private let file: KeptFile

  var url: URL { file.url }

  /// - Parameter directory: where the program keeps its state. Nil, as for stores in memory, keeps
  ///   nothing.
  init?(of subject: KeptSubject?, in directory: URL?) {
    guard let file = KeptFile("columns", of: subject, in: directory) else { return nil }
    self.file = file
  }

  /// Reads the file; a missing one says nothing. Waits for the disk.
  func read() -> Contents {
    do {
      return Contents(columns: try file.read(Document.self)?.columns ?? [:])
    } catch {
      return Contents(
        fault: "The column settings in \(url.path) cannot be read and are not used; "
          + "delete the file to clear this message.")
    }
  }

  /// Keeps what is decided about one entity, and what the file says of others. Waits for the disk.
  ///
  /// - Throws: `CocoaError` or `FileFault` when the file cannot be written.
  func write(_ settings: ColumnSettings, of entity: String) throws {
    var columns = read().columns
    columns[entity] = settings.isDefault ? nil : settings
    if columns.isEmpty, !FileManager.default.fileExists(atPath: url.path) { return }
    try file.write(Document(store: file.store, columns: columns))
  }
}

import DatastoreCore
import Foundation

/// The file that keeps the column settings of one store between runs.
struct TableSettingsFile: Sendable {
  struct Contents: Sendable {
    /// The settings by entity name.
    var columns: [String: ColumnSettings] = [:]
    /// Why the file could not be read, as a sentence.
    var fault: String?
  }

  /// The encoded form of the file.
  private struct Document: KeptDocument {
    var store: String
    var columns: [String: ColumnSettings]
  }

  private let file: KeptFile

  var url: URL { file.url }

  /// - Parameter directory: the program's state directory. With nil, as for stores in memory, nothing is
  ///   kept.
  init?(of subject: KeptSubject?, in directory: URL?) {
    guard let file = KeptFile("columns", of: subject, in: directory) else { return nil }
    self.file = file
  }

  /// Reads the file; a missing file is empty. Waits for the disk.
  func read() -> Contents {
    do {
      return Contents(columns: try file.read(Document.self)?.columns ?? [:])
    } catch {
      return Contents(
        fault: "The column settings in \(url.path) cannot be read and are not used; "
          + "delete the file to clear this message.")
    }
  }

  /// Saves the settings of one entity, and keeps those of others in the file. Waits for the disk.
  ///
  /// - Throws: `CocoaError` or `FileFault` if the file cannot be written.
  func write(_ settings: ColumnSettings, of entity: String) throws {
    var columns = read().columns
    columns[entity] = settings.isDefault ? nil : settings
    if columns.isEmpty, !FileManager.default.fileExists(atPath: url.path) { return }
    try file.write(Document(store: file.store, columns: columns))
  }
}

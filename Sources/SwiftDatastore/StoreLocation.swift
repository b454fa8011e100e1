import Basics
import DatastoreCore
package import Foundation

/// The directories of stores that are opened by name.
package enum StoreLocation {
  /// The file of a store. Creates its directory if needed. Each store for tests has a directory of its own.
  ///
  /// - Throws: `StoreError.unusableName`, or the error of the system when the directory cannot be created.
  static func url(storeName: String, storingType: SwiftDatastore.StoringType) throws -> URL {
    guard isUsable(storeName) else { throw StoreError.unusableName(storeName) }
    let directory =
      switch storingType {
      case .app: programDirectory
      case .test:
        FileManager.default.temporaryDirectory.appendingPathComponent(
          "SwiftDatastore-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
      }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return directory.appendingPathComponent(storeName + extensionOfFiles)
  }

  private static let extensionOfFiles = ".sqlite"

  /// Whether a file of this name stays in its directory, is not hidden, and leaves room for the suffixes that
  /// SQLite appends.
  private static func isUsable(_ name: String) -> Bool {
    !name.isEmpty && !name.begins(with: ".") && !name.has("/") && !name.has("\0")
      && name.utf8.count + extensionOfFiles.utf8.count + "-journal".utf8.count <= Int(NAME_MAX)
  }

  /// The directory of this program's stores; it need not exist.
  package static var programDirectory: URL {
    dataDirectory.appendingPathComponent(ProcessInfo.processInfo.processName)
  }

  /// `$XDG_DATA_HOME`, by default `~/.local/share`:
  /// <https://specifications.freedesktop.org/basedir-spec/latest/>.
  private static var dataDirectory: URL {
    if let path = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], path.begins(with: "/") {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    // Foundation would return the home directory of the user database, and ignore HOME.
    let home =
      ProcessInfo.processInfo.environment["HOME"].map {
        URL(fileURLWithPath: $0, isDirectory: true)
      }
      ?? FileManager.default.homeDirectoryForCurrentUser
    return home.appendingPathComponent(".local/share", isDirectory: true)
  }
}

import Basics
import DatastoreCore
package import Foundation

/// Where stores are kept that are asked for by name.
package enum StoreLocation {
  /// The file of a store; its directory exists afterwards. A store for tests has a directory of its own.
  ///
  /// - Throws: `StoreError.unusableName`, or what the system says when the directory cannot be made.
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

  /// Whether the file stays in its directory, can be seen there, and has a name that the system takes,
  /// with what SQLite puts after it.
  private static func isUsable(_ name: String) -> Bool {
    !name.isEmpty && !name.begins(with: ".") && !name.has("/") && !name.has("\0")
      && name.utf8.count + extensionOfFiles.utf8.count + "-journal".utf8.count <= Int(NAME_MAX)
  }

  /// Where this program keeps its stores; need not exist.
  package static var programDirectory: URL {
    dataDirectory.appendingPathComponent(ProcessInfo.processInfo.processName)
  }

  /// `$XDG_DATA_HOME`, by default `~/.local/share`:
  /// <https://specifications.freedesktop.org/basedir-spec/latest/>.
  private static var dataDirectory: URL {
    if let path = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], path.begins(with: "/") {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    // Foundation's own answer is the user database's and passes over HOME.
    let home =
      ProcessInfo.processInfo.environment["HOME"].map {
        URL(fileURLWithPath: $0, isDirectory: true)
      }
      ?? FileManager.default.homeDirectoryForCurrentUser
    return home.appendingPathComponent(".local/share", isDirectory: true)
  }
}

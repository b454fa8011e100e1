import Foundation

/// Where stores are kept that are asked for by name.
enum StoreLocation {
  /// The file of a store; its directory exists afterwards.
  static func url(storeName: String, storingType: SwiftDatastore.StoringType) throws -> URL {
    let directory =
      switch storingType {
      case .app: dataDirectory.appendingPathComponent(ProcessInfo.processInfo.processName)
      case .test:
        FileManager.default.temporaryDirectory.appendingPathComponent(
          "SwiftDatastore-\(ProcessInfo.processInfo.processIdentifier)")
      }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let url = directory.appendingPathComponent(storeName + ".sqlite")
    if storingType == .test { removeStore(at: url) }
    return url
  }

  /// `$XDG_DATA_HOME`, by default `~/.local/share`:
  /// <https://specifications.freedesktop.org/basedir-spec/latest/>.
  private static var dataDirectory: URL {
    if let path = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], path.hasPrefix("/") {
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

  /// Deletes a store with its journals. Files that are not there are not missed.
  static func removeStore(at url: URL) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)
    }
  }
}

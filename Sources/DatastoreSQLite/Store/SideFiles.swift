import Foundation
import GRDB

/// The `-wal` and `-shm` files beside a file in WAL mode, as they were before it was opened.
struct SideFiles: Sendable {
  private let path: String
  private let isInWALMode: Bool
  private let wasClosedCleanly: Bool
  private let hadNone: Bool
  /// Whether `reading` had to promise that nobody changes the file.
  private(set) var isReadAsImmutable = false

  init(path: String) {
    self.path = path
    isInWALMode = FileHeader.isInWALMode(path)
    let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    wasClosedCleanly = (log?[.size] as? NSNumber)?.intValue ?? 0 == 0
    hadNone = log == nil && !FileManager.default.fileExists(atPath: path + "-shm")
  }

  /// Runs `body` with the name to open the file by.
  ///
  /// Where a file in WAL mode is only to be read and its side files cannot be made (a read-only
  /// directory or medium), that is a URI which promises SQLite that nobody changes it. Not when a log
  /// with changes lies beside it: those would not be seen.
  mutating func reading<T>(isReadOnly: Bool, _ body: (String) throws -> T) throws -> T {
    do {
      return try body(path)
    } catch let error as DatabaseError
      where isReadOnly && isInWALMode && wasClosedCleanly
      && (error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
        || error.resultCode == .SQLITE_IOERR)
    {
      guard let uri = immutableURI else { throw error }
      let result = try body(uri)
      isReadAsImmutable = true
      return result
    }
  }

  /// <https://www.sqlite.org/uri.html#uriimmutable>
  private var immutableURI: String? {
    var components = URLComponents()
    components.scheme = "file"
    components.path = URL(fileURLWithPath: path).path
    components.queryItems = [URLQueryItem(name: "immutable", value: "1")]
    return components.string
  }

  /// Takes side files away that reading has left: only a connection that may write does so when it is
  /// the last one, and only when nobody else has the file open.
  func tidyUp() {
    guard isInWALMode, hadNone, !isReadAsImmutable,
      FileManager.default.fileExists(atPath: path + "-wal"), !FileHeader.isWriteProtected(path)
    else { return }
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    // Nothing is lost when it fails: the files are empty, and SQLite takes them for what they are.
    guard let last = try? DatabaseQueue(path: path, configuration: configuration) else { return }
    _ = try? last.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
    try? last.close()
  }
}

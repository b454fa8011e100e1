import Foundation
import GRDB
import SQLiteFiles

/// The files beside a store: its log and the log's index (`-wal` and `-shm`) as they were before it was
/// opened, and the journal of an unfinished save.
struct SideFiles: Sendable {
  private let path: String
  private let log: String
  private let index: String
  private let isInWALMode: Bool
  private let wasClosedCleanly: Bool
  private let hadLog: Bool
  private let hadIndex: Bool
  /// Whether `reading` had to promise that no one changes the file.
  private(set) var isReadAsImmutable = false
  /// The folder with a copy of the file and its log, if they are in a place that cannot be written.
  private var copy: URL?

  /// Whether readers of the file have its log open.
  var hasLog: Bool { isInWALMode && !isReadAsImmutable }

  init(path: String) {
    self.path = path
    let place = FileIdentity.realPath(path)
    log = place + "-wal"
    index = place + "-shm"
    isInWALMode = FileHeader.isInWALMode(path)
    let present = FileIdentity(log)
    hadLog = present != nil
    wasClosedCleanly = present?.isEmpty ?? true
    hadIndex = FileIdentity(index) != nil
  }

  /// Runs `body` with the name for opening the file.
  ///
  /// An unfinished save of a program that has ended is rolled back first. If a file in WAL mode is only to be
  /// read and its side files cannot be created (a read-only directory or medium), the name is a URI which
  /// promises SQLite that no one changes the file. Not if there is a log with changes beside it, which would
  /// be invisible: the name is then that of a private copy of both.
  ///
  /// - Parameter rollsBack: whether to roll back an unfinished save, which writes the file.
  mutating func reading<T>(
    isReadOnly: Bool, rollsBack: Bool = true, _ body: (String) throws -> T
  ) throws -> T {
    do {
      return try body(path)
    } catch let error as DatabaseError where rollsBack && HotJournal.isCause(of: error) {
      try HotJournal.rollBack(path)
      return try body(path)
    } catch let error as DatabaseError
      where isReadOnly && isInWALMode
      && (error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
        || error.resultCode == .SQLITE_IOERR)
    {
      let result: T
      if wasClosedCleanly {
        guard let uri = immutableURI else { throw error }
        result = try body(uri)
      } else {
        guard let copied = makeCopy() else { throw error }
        result = try body(copied)
      }
      isReadAsImmutable = true
      return result
    }
  }

  /// Copies the file and its log, without its index, into a folder of their own; nil if there is no room.
  private mutating func makeCopy() -> String? {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("datastore-copy-\(UUID().uuidString)", isDirectory: true)
    let file = folder.appendingPathComponent("copy")
    do {
      // Inaccessible to other users.
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      copy = folder
      try FileManager.default.copyItem(
        atPath: FileIdentity.realPath(path), toPath: file.path)
      try FileManager.default.copyItem(atPath: log, toPath: file.path + "-wal")
      for suffix in ["", "-wal"] { chmod(file.path + suffix, 0o600) }
      return file.path
    } catch {
      return nil
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

  /// Removes the side files that reading has created, once all connections of the store are closed and no one
  /// else has the file open. A log with changes is kept.
  func tidyUp() {
    if let copy { try? FileManager.default.removeItem(at: copy) }
    guard isInWALMode, !isReadAsImmutable, !hadLog || !hadIndex,
      FileIdentity(log) != nil || FileIdentity(index) != nil, !FileHeader.isWriteProtected(path),
      let file = DatabaseFileHandle(URL(fileURLWithPath: path).path, isWritable: true)
    else { return }
    // SQLite also removes them under this lock. If that fails they do no harm.
    file.whileUnused {
      if !hadIndex { unlink(index) }
      if !hadLog, FileIdentity(log)?.isEmpty ?? false { unlink(log) }
    }
  }
}

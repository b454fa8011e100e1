import DatastoreCore
import Foundation

/// Facts about a file before a connection reads it.
package enum FileHeader {
  package enum Access {
    case missing, denied, other
  }

  /// <https://www.sqlite.org/fileformat.html#magic_header_string>
  private static let magic = Array("SQLite format 3\0".utf8)

  /// The suffixes of the files that SQLite keeps beside a database: <https://www.sqlite.org/tempfiles.html>.
  package static let sideFileSuffixes = ["-wal", indexSuffix, "-journal"]
  private static let indexSuffix = "-shm"

  /// What the names of databases end in, so that one that holds a text is a fault.
  private static let databaseExtensions = [
    "sqlite", "sqlite3", "sqlitedb", "db", "db3", "sdb", "s3db", "sl3", "store", "gpkg", "mbtiles",
  ]

  /// Rejects anything that cannot be a database, with the reason. An empty file is a database without tables.
  ///
  /// - Returns: whether there is a file with content.
  package static func check(_ path: String) throws -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == EACCES { throw StoreError.noPermission(path: path) }
      return false
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw StoreError.isDirectory(path: path)
    // Opening a named pipe would wait for a writer.
    default: throw StoreError.notRegularFile(path: path)
    }
    guard let start = start(of: path, 512) else {
      if access(to: path) == .denied { throw StoreError.noPermission(path: path) }
      throw StoreError.notADatabase(path: path, looksLike: "it belongs to one, or cannot be read")
    }
    if start.isEmpty { return false }
    guard start.starts(with: magic) else {
      throw StoreError.notADatabase(path: path, looksLike: appearance(of: start))
    }
    return true
  }

  /// Rejects what `check` rejects, and a file that is missing.
  package static func checkPresent(_ path: String) throws {
    guard try check(path) || FileManager.default.fileExists(atPath: path) else {
      throw StoreError.missingFile(path: path)
    }
  }

  /// Whether a path leads to a SQLite database with content.
  package static func isDatabase(_ path: String) -> Bool {
    isRegular(path) && start(of: path, magic.count) == magic
  }

  /// Whether reading a path ends: opening a named pipe would wait for a writer.
  package static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether a path leads to a SQLite database, or to a side file of one. Only SQLite may open or replace
  /// such a file: see `DatabaseFileHandle`.
  package static func isPartOfDatabase(_ path: String) -> Bool {
    let path = FileIdentity.realPath(path)
    return isDatabase(path)
      || sideFileSuffixes.contains { suffix in
        path.hasSuffix(suffix) && isDatabase(String(path.dropLast(suffix.count)))
      }
  }

  /// Whether this process has the file open, by any name.
  package static func isOpenHere(_ path: String) -> Bool {
    guard let file = FileIdentity(path) else { return false }
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.contains {
      FileIdentity("/proc/self/fd/\($0)").map { file.isSame(as: $0) } ?? false
    }
  }

  /// Whether readers of the file need a log:
  /// <https://www.sqlite.org/fileformat.html#file_format_version_numbers>.
  package static func isInWALMode(_ path: String) -> Bool {
    guard let start = start(of: path, 20), start.count == 20, start.starts(with: magic)
    else { return false }
    return start[19] == 2
  }

  /// The facts in the first hundred bytes of a database:
  /// <https://www.sqlite.org/fileformat.html#the_database_header>. Saves since the last checkpoint of a file
  /// in WAL mode may differ.
  package struct Facts: Sendable, Hashable {
    package let pageSize: Int
    package let isInWALMode: Bool
    package let encoding: String
    /// The version of the SQLite that last wrote the header: 3040001 for 3.40.1; 0 if unknown.
    package let writerVersion: Int32
  }

  /// nil for a file that is not a database.
  package static func facts(of path: String) -> Facts? {
    guard let start = start(of: path, 100), start.count == 100, start.starts(with: magic) else {
      return nil
    }
    func number(at place: Int, _ count: Int) -> Int {
      start[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
    let size = number(at: 16, 2)
    return Facts(
      // The largest size does not fit.
      pageSize: size == 1 ? 65_536 : size, isInWALMode: start[19] == 2,
      encoding: [1: "UTF-8", 2: "UTF-16le", 3: "UTF-16be"][number(at: 56, 4)] ?? "none yet",
      writerVersion: Int32(truncatingIfNeeded: number(at: 96, 4)))
  }

  /// Whether the file's mode forbids everyone to write it; root could, but should not.
  package static func isWriteProtected(_ path: String) -> Bool {
    let mode =
      (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]) as? NSNumber
    if let mode, mode.intValue & 0o222 == 0 { return true }
    return !FileManager.default.isWritableFile(atPath: path)
  }

  package static func appearance(of path: String) -> String {
    start(of: path, 512).map { appearance(of: $0) } ?? "it cannot be read"
  }

  /// The first bytes of a file that has not the name of a database; nil for others.
  package static func beginning(of path: String) -> [UInt8]? {
    let end = URL(fileURLWithPath: path).pathExtension.lowercased()
    guard !databaseExtensions.contains(end), isRegular(path) else { return nil }
    return start(of: path, 512)
  }

  /// Texts have letters of ASCII, if only blanks or line ends, and few control characters. In UTF-16 and
  /// UTF-32 they begin with a mark.
  package static func isText(_ start: [UInt8]) -> Bool {
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return true }
    // Backspace to carriage return, and escape, which colours the text of logs.
    return start.contains { $0 < 0x80 }
      && start.allSatisfy { $0 >= 0x20 && $0 != 0x7F || 0x08...0x0D ~= $0 || $0 == 0x1B }
  }

  private static func appearance(of start: [UInt8]) -> String {
    if isText(start) { return "it looks like a text file" }
    return "its first bytes are not those of one, so it is of another kind, or encrypted"
  }

  /// The first bytes of a regular file; nil when it cannot be read.
  ///
  /// Not of the index of a log, which SQLite locks by handles of another kind: it would not know of them when
  /// closing this one.
  private static func start(of path: String, _ count: Int) -> [UInt8]? {
    let path = FileIdentity.realPath(URL(fileURLWithPath: path).path)
    if path.hasSuffix(indexSuffix),
      FileIdentity(String(path.dropLast(indexSuffix.count))) != nil
    {
      return nil
    }
    return DatabaseFileHandle(path)?.firstBytes(count)
  }

  package static func access(to path: String) -> Access {
    if !FileManager.default.fileExists(atPath: path) { return .missing }
    return FileManager.default.isReadableFile(atPath: path) ? .other : .denied
  }
}

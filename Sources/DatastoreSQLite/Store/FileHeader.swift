import Foundation

/// What a file looks like from outside, before SQLite is asked.
enum FileHeader {
  enum Access {
    case missing, denied, other
  }

  /// <https://www.sqlite.org/fileformat.html#magic_header_string>
  private static let magic = Data("SQLite format 3\0".utf8)

  /// Refuses what cannot be a database, with the reason. An empty file is a database without tables.
  ///
  /// - Returns: whether there is a file with content.
  static func check(_ path: String) throws -> Bool {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return false
    }
    if isDirectory.boolValue { throw StoreError.isDirectory(path: path) }
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw StoreError.noPermission(path: path)
    }
    defer { try? file.close() }
    guard let start = try? file.read(upToCount: 512), !start.isEmpty else { return false }
    guard start.starts(with: magic) else {
      throw StoreError.notADatabase(path: path, looksLike: appearance(of: start))
    }
    return true
  }

  /// Whether readers of the file need a log: <https://www.sqlite.org/fileformat.html#file_format_version_numbers>.
  static func isInWALMode(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    guard let start = try? file.read(upToCount: 20), start.count == 20, start.starts(with: magic)
    else { return false }
    return start[start.startIndex + 19] == 2
  }

  /// Whether no one may write the file by its mode; root could, but is not meant to.
  static func isWriteProtected(_ path: String) -> Bool {
    let mode =
      (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]) as? NSNumber
    if let mode, mode.intValue & 0o222 == 0 { return true }
    return !FileManager.default.isWritableFile(atPath: path)
  }

  static func appearance(of path: String) -> String {
    guard let file = FileHandle(forReadingAtPath: path), let start = try? file.read(upToCount: 512)
    else { return "it cannot be read" }
    return appearance(of: start)
  }

  private static func appearance(of start: Data) -> String {
    if String(validating: start, as: UTF8.self) != nil, !start.contains(0) {
      return "it looks like a text file"
    }
    return "its first bytes are unknown, so it is of another kind, encrypted, or damaged"
  }

  static func access(to path: String) -> Access {
    if !FileManager.default.fileExists(atPath: path) { return .missing }
    return FileManager.default.isReadableFile(atPath: path) ? .other : .denied
  }
}

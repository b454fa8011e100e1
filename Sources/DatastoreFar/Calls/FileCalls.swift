import DatastoreCore
import Foundation

// The whole file: bytes go over the line that SQLite has made.

/// A piece of a file.
struct FarFilePart: Codable, Sendable {
  let bytes: FarBytes
  /// Bytes of the whole file.
  let total: Int

  static let mostBytes = 1 << 20
}

/// A copy of the file as it is at one moment, piece by piece.
struct CopyOutCall: FarCall {
  func answer(in work: FarWork) throws -> FarNothing {
    let directory = try PrivateDirectory()
    defer { directory.remove() }
    let url = directory.url.appendingPathComponent("copy.sqlite")
    try work.session.store.backUp(to: url)
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    let total = Int(try file.seekToEnd())
    try file.seek(toOffset: 0)
    while let bytes = try file.read(upToCount: FarFilePart.mostBytes), !bytes.isEmpty {
      try work.send(FarFilePart(bytes: FarBytes(bytes), total: total))
    }
    return FarNothing()
  }
}

/// A piece of a new file, from its beginning on. The file has its name when the last piece is there.
struct CopyInCall: FarCall {
  let part: FarFilePart

  func answer(in work: FarWork) throws -> FarNothing {
    try work.session.receive(part)
    return FarNothing()
  }
}

/// A directory that nobody else can look into.
private struct PrivateDirectory {
  let url: URL

  /// - Throws: `StoreError.cannotOpen`.
  init() throws {
    var path = Array(
      FileManager.default.temporaryDirectory.appendingPathComponent("datastore-XXXXXX").path
        .utf8CString)
    guard mkdtemp(&path) != nil else {
      throw StoreError.cannotOpen(
        path: FileManager.default.temporaryDirectory.path, detail: String(cString: strerror(errno)))
    }
    url = URL(
      fileURLWithPath: String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    )
  }

  func remove() { try? FileManager.default.removeItem(at: url) }
}

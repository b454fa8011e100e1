import DatastoreCore
import Foundation

// Calls that transfer a whole file: SQLite makes a copy, and its bytes go over the line.

/// Copies the file out in its state at one moment, part by part.
struct CopyOutCall: FarCall {
  func answer(in work: FarWork) throws -> FarNothing {
    let directory = try PrivateDirectory()
    defer { directory.remove() }
    let url = directory.url.appendingPathComponent("copy.sqlite")
    try work.session.store.backUp(to: url)
    try FarFilePart.read(url, work.send)
    return FarNothing()
  }
}

/// The next part of a new file. The file gets its name when the last part has arrived.
struct CopyInCall: FarCall {
  let part: FarFilePart

  func answer(in work: FarWork) throws -> FarNothing {
    try work.session.receive(part)
    return FarNothing()
  }
}

/// A directory that no other user can read.
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

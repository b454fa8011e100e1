import DatastoreCore
import Foundation

/// A piece of a file.
struct FarFilePart: Codable, Sendable {
  let bytes: FarBytes
  /// The size of the whole file in bytes.
  let total: Int

  private static let mostBytes = 1 << 20

  /// Reads a file part by part; an empty file has one part, too.
  ///
  /// - Throws: errors of reading; errors of `body`.
  static func read(_ url: URL, _ body: (FarFilePart) throws -> Void) throws {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    let total = Int(try file.seekToEnd())
    try file.seek(toOffset: 0)
    var done = 0
    repeat {
      let bytes = try file.read(upToCount: mostBytes) ?? Data()
      try body(FarFilePart(bytes: FarBytes(bytes), total: total))
      done += bytes.count
      // A file that became shorter ends here, and the other end says that a part is missing.
      if bytes.isEmpty { break }
    } while done < total
  }
}

/// A new file that arrives over a line. It has a temporary name until it is complete.
final class FarReceivedFile {
  private let path: String
  private let partial: String
  private let file: Int32
  private var size = 0

  /// - Throws: `StoreError.fileExists`, `.cannotOpen`.
  init(at path: String) throws {
    self.path = path
    guard !FileManager.default.fileExists(atPath: path) else {
      throw StoreError.fileExists(path: path)
    }
    // The name is unpredictable, so nobody can put a link in its place.
    partial = "\(path).\(UUID().uuidString).partial"
    file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Self.fault(path) }
  }

  deinit {
    close(file)
    unlink(partial)
  }

  /// Appends a part; the last one completes the file.
  ///
  /// - Returns: whether the file is complete.
  /// - Throws: `StoreError`; `FarLineFault` for more bytes than were announced.
  func add(_ part: FarFilePart) throws -> Bool {
    let bytes = part.bytes.data
    guard size + bytes.count <= part.total else {
      throw FarLineFault("a file is longer than was said")
    }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(file, $0.baseAddress.map { $0 + done }, $0.count - done)
      }
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        throw Self.fault(path)
      }
    }
    size += bytes.count
    guard size == part.total else { return false }
    // Unlike renaming, linking never replaces a file that was created meanwhile.
    guard fsync(file) == 0, link(partial, path) == 0 else {
      throw errno == EEXIST ? StoreError.fileExists(path: path) : Self.fault(path)
    }
    return true
  }

  private static func fault(_ path: String) -> StoreError {
    .cannotOpen(path: path, detail: String(cString: strerror(errno)))
  }
}

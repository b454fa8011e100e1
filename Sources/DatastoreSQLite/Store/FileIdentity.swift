import Glibc

/// Which file a path names: SQLite keeps on writing a file that was removed or replaced underneath, and
/// whatever it saves there is seen by nobody.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  let isEmpty: Bool

  /// Nil when there is no file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    isEmpty = status.st_size == 0
  }

  /// Whether both are the same file, whatever it holds.
  func isSame(as other: FileIdentity) -> Bool {
    device == other.device && number == other.number
  }
}

extension SQLiteStore {
  /// Makes sure that the path still leads to the file that was opened.
  ///
  /// - Throws: `StoreError.replaced`, `.removed`, or `.damaged` when the file was emptied.
  func requireSameFile() throws {
    guard let opened else { return }
    guard let present = FileIdentity(path) else { throw StoreError.removed(path: path) }
    guard present.isSame(as: opened) else { throw StoreError.replaced(path: path) }
    if present.isEmpty, !opened.isEmpty {
      throw StoreError.damaged(path: path, detail: "it has been emptied since it was opened")
    }
  }
}

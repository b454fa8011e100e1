package import Foundation
import Gates
import SQLiteFiles
package import SwiftDatastore

/// A new store next to its final place, under a hidden name.
package struct StoreUnderConstruction {
  /// The place where the store is built.
  package let url: URL
  private let destination: URL

  /// The options with which it is opened until then.
  package static var options: SwiftDatastore.Options {
    var options = SwiftDatastore.Options()
    options.isUnderConstruction = true
    return options
  }

  /// Removes files that ended processes have left for the same store.
  ///
  /// - Parameter original: the file whose permissions the store gets; nil for those of any new file.
  /// - Throws: `LoadError.cannotCreate` when the directory does not exist or cannot be written.
  package init(at destination: URL, like original: URL? = nil) throws {
    self.destination = destination
    let directory = destination.deletingLastPathComponent()
    let process = ProcessInfo.processInfo.processIdentifier
    let prefix = ".\(destination.lastPathComponent).loading-"
    url = directory.appendingPathComponent("\(prefix)\(process)-\(UUID().uuidString)")
    guard access(directory.path, W_OK | X_OK) == 0 else {
      throw LoadError.cannotCreate(
        path: destination.path, reason: String(cString: strerror(errno)))
    }
    ProcessDirectory.removeRemains(prefix, in: directory)
    if let original, !EmptyFile.make(url.path, like: original.path) { try require(-1) }
  }

  /// Gives the complete, closed store its name. All data has reached the disk by then.
  ///
  /// - Throws: `LoadError.storeAppeared` if a store of that name exists by now; `LoadError.cannotCreate` when
  ///   the system refuses.
  package func finish() throws {
    try synchronize(url.path)
    let size = try? FileManager.default.attributesOfItem(atPath: destination.path)[.size]
    if let size = size as? NSNumber, size.intValue == 0 {
      // An empty file has nothing to lose.
      try require(rename(url.path, destination.path))
    } else if link(url.path, destination.path) == 0 {
      // Unlike a rename, a link never replaces a file.
      unlink(url.path)
    } else if errno == EEXIST {
      throw LoadError.storeAppeared(path: destination.path)
    } else {
      // File systems without links.
      try require(rename(url.path, destination.path))
    }
    try synchronize(destination.deletingLastPathComponent().path)
  }

  package func discard() { FileSurroundings.removeDatabase(url.path) }

  private func synchronize(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    try require(descriptor)
    defer { close(descriptor) }
    // Directories of some file systems cannot be synchronised.
    if fsync(descriptor) != 0, errno != EINVAL { try require(-1) }
  }

  private func require(_ result: Int32) throws {
    if result < 0 {
      throw LoadError.cannotCreate(
        path: destination.path, reason: String(cString: strerror(errno)))
    }
  }
}

import Foundation

/// The files beside a database file, by names alone: nothing is opened.
package struct FileSurroundings: Sendable {
  package enum Kind: Sendable, Hashable {
    /// `-wal`, with the saves since the last checkpoint.
    case log
    /// `-shm`, the index of the log.
    case index
    /// `-journal`, for rolling back a save.
    case journal
    /// The staged changes of a browser.
    case recovery
    /// The notice of a migration.
    case migration
    /// A copy of the file that was not completed.
    case partialCopy
  }

  package struct Neighbor: Sendable, Hashable {
    package let kind: Kind
    package let path: String
    package let size: Int
  }

  /// The size of the file itself.
  package let size: Int
  /// By name.
  package let neighbors: [Neighbor]

  package init(of path: String) {
    // SQLite follows links before it looks beside a file.
    let real = URL(fileURLWithPath: FileIdentity.realPath(path))
    let folder = real.deletingLastPathComponent().path
    let name = real.lastPathComponent
    size = Self.size(real.path) ?? 0
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    neighbors = names.sorted().compactMap { other in
      guard let kind = Self.kind(of: other, beside: name) else { return nil }
      let path = folder + "/" + other
      return Self.size(path).map { Neighbor(kind: kind, path: path, size: $0) }
    }
  }

  private static func kind(of other: String, beside name: String) -> Kind? {
    switch other {
    case name + "-wal": .log
    case name + "-shm": .index
    case name + "-journal": .journal
    case ".\(name).migrating": .migration
    case _ where other.hasPrefix(".\(name).datastore-recovery"): .recovery
    case _ where other.hasPrefix("\(name).") && other.hasSuffix(".partial"): .partialCopy
    default: nil
    }
  }

  /// Removes a native database file that is not open, with its side files. Files that cannot be removed stay.
  package static func removeDatabase(_ path: String) {
    for suffix in [""] + FileHeader.sideFileSuffixes { unlink(path + suffix) }
  }

  private static func size(_ path: String) -> Int? {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_size) : nil
  }
}

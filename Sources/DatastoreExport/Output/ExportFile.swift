import DatastoreSQLite
import Foundation

/// A file that is written whole or not at all: under a name of its own beside its place, until it is
/// complete and on the disk. So not even a loss of power leaves half of it, or nothing, where another file
/// was before.
///
/// Places that are no regular files, such as `/dev/stdout` and named pipes, are written directly.
package final class ExportFile {
  /// What rows are written to.
  package let output: ExportOutput
  private let descriptor: Int32
  private let path: String
  /// Where the file grows; nil for what is written directly.
  package let partial: String?
  private let synchronize: (Int32) -> Int32
  private var isDone = false

  /// - Parameters:
  ///   - path: not that of a SQLite database, or of its log: those are never replaced.
  ///   - synchronize: has what was written to a descriptor reach the disk.
  /// - Throws: `ExportError.cannotCreate`.
  package init(path: String, synchronize: @escaping (Int32) -> Int32 = fsync) throws {
    if FileHeader.isPartOfDatabase(path) {
      throw ExportError.cannotCreate(
        path: path, reason: "there is a SQLite database of that name; choose another one")
    }
    self.synchronize = synchronize
    var status = stat()
    let isThere = stat(path, &status) == 0
    let isDirect = isThere && status.st_mode & S_IFMT != S_IFREG
    // Behind a symbolic link, the file is replaced and not the link.
    self.path =
      isThere ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
    let target = URL(fileURLWithPath: self.path)
    partial =
      isDirect
      ? nil
      : target.deletingLastPathComponent()
        .appendingPathComponent(".\(target.lastPathComponent).\(getpid()).partial").path
    descriptor =
      partial.map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
      ?? open(path, O_WRONLY | O_CLOEXEC)
    output = ExportOutput(descriptor: descriptor, name: path)
    guard descriptor >= 0 else {
      throw ExportError.cannotCreate(path: path, reason: String(cString: strerror(errno)))
    }
    if isThere, !isDirect { fchmod(descriptor, status.st_mode & 0o7777) }
  }

  /// Whether writing to a path would replace a file.
  package static func isThere(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Puts the file in its place.
  ///
  /// - Parameter isReplacing: whether a file that is there by now is replaced.
  /// - Throws: `ExportError`; the file that was there before stays then.
  package func finish(isReplacing: Bool = true) throws {
    isDone = true
    do {
      try output.flush()
    } catch {
      discard()
      throw error
    }
    let isOnDisk = partial == nil || reachesDisk(descriptor)
    let isClosed = close(descriptor) == 0 && isOnDisk
    guard let partial else { return }
    if isClosed, !isReplacing {
      // Unlike a rename this never replaces anything; where there are no links, a look must do.
      let isLinked = link(partial, path) == 0
      let isTaken = isLinked ? false : errno == EEXIST || Self.isThere(path)
      if isLinked || isTaken {
        unlink(partial)
        if isTaken { throw ExportError.exists(path: path) }
        return synchronizeDirectory()
      }
    }
    guard isClosed, rename(partial, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(partial)
      throw ExportError.cannotWrite(name: path, reason: reason)
    }
    synchronizeDirectory()
  }

  private func reachesDisk(_ descriptor: Int32) -> Bool {
    // Not every file system can be asked.
    synchronize(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP
  }

  /// The file is complete; what may be lost is its new name, and then the file before it is there.
  private func synchronizeDirectory() {
    let directory = open(
      URL(fileURLWithPath: path).deletingLastPathComponent().path,
      O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    _ = reachesDisk(directory)
    close(directory)
  }

  private func discard() {
    close(descriptor)
    if let partial { unlink(partial) }
  }

  deinit {
    if !isDone, descriptor >= 0 { discard() }
  }
}

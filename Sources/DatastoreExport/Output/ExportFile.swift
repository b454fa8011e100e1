import Foundation

/// A file that is written whole or not at all: under a name of its own beside its place, until it is
/// complete.
///
/// Places that are no regular files, such as `/dev/stdout` and named pipes, are written directly.
package final class ExportFile {
  /// What rows are written to.
  package let output: ExportOutput
  private let descriptor: Int32
  private let path: String
  /// Where the file grows; nil for what is written directly.
  package let partial: String?
  private var isDone = false

  /// - Throws: `ExportError.cannotCreate`.
  package init(path: String) throws {
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
    let isClosed = close(descriptor) == 0
    guard let partial else { return }
    if isClosed, !isReplacing {
      // Unlike a rename this never replaces anything; where there are no links, a look must do.
      let isLinked = link(partial, path) == 0
      let isTaken = isLinked ? false : errno == EEXIST || Self.isThere(path)
      if isLinked || isTaken {
        unlink(partial)
        if isTaken { throw ExportError.exists(path: path) }
        return
      }
    }
    guard isClosed, rename(partial, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(partial)
      throw ExportError.cannotWrite(name: path, reason: reason)
    }
  }

  private func discard() {
    close(descriptor)
    if let partial { unlink(partial) }
  }

  deinit {
    if !isDone, descriptor >= 0 { discard() }
  }
}

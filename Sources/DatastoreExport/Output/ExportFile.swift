import Foundation
import Gates
import SQLiteFiles

/// A file that is written whole or not at all. It is written under a temporary name beside its path until it
/// is complete and on the disk. So not even a loss of power leaves half of it, or nothing, in place of an
/// earlier file.
///
/// Special files that the user names, such as `/dev/stdout` and named pipes, are written to directly; `note`
/// reports a named pipe.
package final class ExportFile {
  /// The output that rows are written to.
  package let output: ExportOutput
  private let descriptor: Int32
  private let path: String
  /// The temporary file; nil if the output is written directly.
  private var growing: NewFile?
  /// The path of the temporary file; nil if the output is written directly.
  package let partial: String?
  /// A sentence about a named pipe that is written into, or a link whose target is replaced; nil for any
  /// other path.
  package let note: String?

  /// - Parameters:
  ///   - path: the path of the file; throws for that of a SQLite database or its log, which are never
  ///     replaced.
  ///   - isPipeAllowed: whether an existing named pipe may be written to, which waits for a reader.
  ///   - synchronize: flushes a descriptor to the disk.
  /// - Throws: `ExportError.cannotCreate`.
  package init(
    path: String, isPipeAllowed: Bool = true,
    synchronize: @escaping (Int32) -> Int32 = { fsync($0) }
  ) throws {
    func failure(_ reason: String) -> ExportError { .cannotCreate(path: path, reason: reason) }
    if FileHeader.isPartOfDatabase(path) {
      throw failure("there is a SQLite database of that name; choose another one")
    }
    var status = stat()
    let isThere = stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if isThere, kind == S_IFDIR { throw failure("it is a directory") }
    if isThere, kind != S_IFREG {
      let isNamedPipe = kind == S_IFIFO && !path.hasPrefix("/dev/") && !path.hasPrefix("/proc/")
      guard isPipeAllowed || !isNamedPipe else { throw failure("it is a named pipe, not a file") }
      self.path = path
      partial = nil
      note = isNamedPipe ? "\(path) is a named pipe; it is written into, not replaced." : nil
      descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
      output = ExportOutput(descriptor: descriptor, name: path)
      return
    }
    let target = NewFile.ownTarget(of: path)
    self.path = target
    note = target == path ? nil : "\(path) is a link; its target is replaced: \(target)"
    do throws(FileFault) {
      let file = try NewFile(for: target, mode: 0o666, synchronize: synchronize)
      descriptor = file.descriptor
      partial = file.temporaryPath
      growing = consume file
    } catch {
      throw failure(error.reason)
    }
    output = ExportOutput(descriptor: descriptor, name: path)
    // The new file keeps the permissions of the former one, if the user owns that.
    if isThere, status.st_uid == geteuid() { fchmod(descriptor, status.st_mode & 0o777) }
  }

  /// Whether writing to a path would replace a file.
  package static func isThere(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Moves the file to its path.
  ///
  /// - Parameter isReplacing: whether to replace a file that exists at the path by now.
  /// - Throws: `ExportError`; the existing file then stays as it was.
  package func finish(isReplacing: Bool = true) throws {
    do {
      try output.flush()
    } catch {
      discard()
      throw error
    }
    guard partial != nil else {
      close(descriptor)
      isClosed = true
      return
    }
    defer { discard() }
    if !isReplacing, try isLinked() { return }
    do throws(FileFault) {
      try growing?.move(to: path)
    } catch {
      throw ExportError.cannotWrite(name: path, reason: error.reason)
    }
  }

  /// Links the file to its path if no file has that name; false on file systems without links.
  private func isLinked() throws -> Bool {
    guard let partial, growing?.isOnDisk() ?? false else { return false }
    // Unlike a rename, a link never replaces a file. Without links, a check before the rename must do.
    if link(partial, path) == 0 {
      growing?.synchronize(directoryOf: path)
      return true
    }
    if errno == EEXIST || Self.isThere(path) { throw ExportError.exists(path: path) }
    return false
  }

  private var isClosed = false

  /// Removes an unfinished file and ends writing.
  private func discard() {
    growing?.discard()
    if !isClosed { close(descriptor) }
    isClosed = true
  }

  deinit { discard() }
}

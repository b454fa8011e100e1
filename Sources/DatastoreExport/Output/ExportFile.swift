import Foundation
import Gates
import SQLiteFiles

/// A file that is written whole or not at all: under a name of its own beside its place, until it is
/// complete and on the disk. So not even a loss of power leaves half of it, or nothing, where another file
/// was before.
///
/// Places that are not regular files, such as `/dev/stdout` and named pipes, are written directly where
/// the user has named them as such, which is then said.
package final class ExportFile {
  /// What rows are written to.
  package let output: ExportOutput
  private let descriptor: Int32
  private let path: String
  /// The file that grows; nil for what is written directly.
  private var growing: NewFile?
  /// Where it grows; nil for what is written directly.
  package let partial: String?
  /// What is at the path and is written into or replaced, where that is not a file of that name: a
  /// sentence.
  package let note: String?

  /// - Parameters:
  ///   - path: not that of a SQLite database, or of its log: those are never replaced.
  ///   - isPipeAllowed: whether a named pipe that is there may be written to, which waits for
  ///     someone who reads it.
  ///   - synchronize: has what was written to a descriptor reach the disk.
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
    // Who might read the former file may read this one, if its owner has decided that.
    if isThere, status.st_uid == geteuid() { fchmod(descriptor, status.st_mode & 0o777) }
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

  /// Gives the file its name where no other has it; false on file systems without links.
  private func isLinked() throws -> Bool {
    guard let partial, growing?.isOnDisk() ?? false else { return false }
    // Unlike a rename this never replaces anything; where there are no links, a look must do.
    if link(partial, path) == 0 {
      growing?.synchronize(directoryOf: path)
      return true
    }
    if errno == EEXIST || Self.isThere(path) { throw ExportError.exists(path: path) }
    return false
  }

  private var isClosed = false

  /// Removes what has not got its name, and ends writing.
  private func discard() {
    growing?.discard()
    if !isClosed { close(descriptor) }
    isClosed = true
  }

  deinit { discard() }
}

internal import Glibc

/// A file that is written under an unpredictable temporary name and renamed when it is complete. Under its
/// own name it is never incomplete, and nothing is written through whatever has that name.
///
/// No existing file is opened: no link, pipe or file of someone else. The rename replaces whatever has the
/// name. For one thread.
package struct NewFile: ~Copyable {
  /// The descriptor to write to. It stays open after the rename, unless it is closed.
  package let descriptor: Int32
  package let temporaryPath: String
  private let reachDisk: (Int32) -> Int32
  private var isPending = true

  /// Creates the temporary file in the directory of a path.
  ///
  /// - Parameters:
  ///   - path: the final path of the file.
  ///   - mode: the permissions; a file that holds values is for its owner alone.
  ///   - synchronize: flushes a descriptor to the disk.
  /// - Throws: `FileFault`.
  package init(
    for path: String, mode: UInt32 = 0o600,
    synchronize: @escaping (Int32) -> Int32 = { fsync($0) }
  ) throws(FileFault) {
    let (folder, name) = Self.split(path)
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let number = String(generator.next(), radix: 36)
      // File systems limit names to 255 bytes.
      let temporary =
        "\(folder).\(String(decoding: name.utf8.prefix(200), as: UTF8.self)).\(number)"
      let descriptor = open(
        temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      if descriptor >= 0 {
        self.descriptor = descriptor
        reachDisk = synchronize
        temporaryPath = temporary
        return
      }
      if errno != EEXIST { throw FileFault(path, errno) }
    }
    throw FileFault(path, EEXIST)
  }

  /// Splits a path into the directory with its slash and the name.
  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    let behind = path.utf8.index(after: slash)
    return (String(path[..<behind]), String(path[behind...]))
  }

  /// Appends bytes.
  ///
  /// - Throws: `FileFault`.
  package func write(_ bytes: some Sequence<UInt8>) throws(FileFault) {
    let all = Array(bytes)
    let result = all.withUnsafeBytes { bytes in
      Result { () throws(FileFault) in try write(bytes) }
    }
    try result.get()
  }

  /// Appends bytes.
  ///
  /// - Throws: `FileFault`.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileFault) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw FileFault(temporaryPath, errno)
      }
    }
  }

  /// Renames the file to its final path; on return its bytes and its name are on the disk.
  ///
  /// - Throws: `FileFault`; the temporary file is then removed, and the file at the path is unchanged.
  package mutating func move(to path: String) throws(FileFault) {
    guard isOnDisk(), rename(temporaryPath, path) == 0 else {
      let fault = FileFault(path, errno)
      discard()
      throw fault
    }
    isPending = false
    synchronize(directoryOf: path)
  }

  /// Flushes the file to the disk; returns whether that succeeded.
  package borrowing func isOnDisk() -> Bool {
    // Some file systems cannot synchronize and report EINVAL.
    reachDisk(descriptor) == 0 || errno == EINVAL
  }

  /// Synchronizes the entries of a directory, if its file system can.
  package borrowing func synchronize(directoryOf path: String) {
    let (folder, _) = Self.split(path)
    let directory = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard directory >= 0 else { return }
    _ = reachDisk(directory)
    close(directory)
  }

  /// Removes the file, unless it has been renamed. The descriptor stays open.
  package mutating func discard() {
    if isPending { unlink(temporaryPath) }
    isPending = false
  }
}

extension NewFile {
  /// Writes a whole file. Readers see either the old file or the new one.
  ///
  /// A link that belongs to the user is followed, since people keep their settings elsewhere; other links are
  /// replaced. Waits for the disk.
  ///
  /// - Parameter mode: the permissions; by default for the owner alone.
  /// - Throws: `FileFault`.
  package static func write(
    _ bytes: some Sequence<UInt8>, to path: String, mode: UInt32 = 0o600
  ) throws(FileFault) {
    let path = ownTarget(of: path)
    var file = try NewFile(for: path, mode: mode)
    defer { close(file.descriptor) }
    do {
      try file.write(bytes)
    } catch {
      file.discard()
      throw FileFault(path, error.reason)
    }
    try file.move(to: path)
  }

  /// The path that a write to a path replaces: the target of a link that belongs to the user, else the path
  /// itself.
  package static func ownTarget(of path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
      status.st_uid == geteuid(), let real = realpath(path, nil)
    else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

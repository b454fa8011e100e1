internal import Glibc

/// A file that grows under an unpredictable name and gets its own name when it is complete, so
/// that it is never half, and never written through what is in its place.
///
/// Nothing that is there already is opened: no link, pipe or file of someone else. The name is taken by
/// a rename, which puts the file in the place of whatever is there. For one thread.
package struct NewFile: ~Copyable {
  /// What is written to; it stays open when the file has its name, unless it is closed.
  package let descriptor: Int32
  /// Where it is until then.
  package let temporaryPath: String
  private let reachDisk: (Int32) -> Int32
  private var isPending = true

  /// Makes the file in a directory.
  ///
  /// - Parameters:
  ///   - path: the name it is to get.
  ///   - mode: who may read and write it; what holds values is for its owner alone.
  ///   - synchronize: has what was written to a descriptor reach the disk.
  /// - Throws: `FileFault`.
  package init(
    for path: String, mode: UInt32 = 0o600,
    synchronize: @escaping (Int32) -> Int32 = { fsync($0) }
  ) throws(FileFault) {
    let (folder, name) = Self.split(path)
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let number = String(generator.next(), radix: 36)
      // The longest name that file systems take is 255 bytes.
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

  /// The directory with its slash, and the name in it.
  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    let behind = path.utf8.index(after: slash)
    return (String(path[..<behind]), String(path[behind...]))
  }

  /// Adds bytes.
  ///
  /// - Throws: `FileFault`.
  package func write(_ bytes: some Sequence<UInt8>) throws(FileFault) {
    let all = Array(bytes)
    let result = all.withUnsafeBytes { bytes in
      Result { () throws(FileFault) in try write(bytes) }
    }
    try result.get()
  }

  /// Adds bytes.
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
  /// - Throws: `FileFault`; then the file is gone, and what stood in its place is as it was.
  package mutating func move(to path: String) throws(FileFault) {
    guard isOnDisk(), rename(temporaryPath, path) == 0 else {
      let fault = FileFault(path, errno)
      discard()
      throw fault
    }
    isPending = false
    synchronize(directoryOf: path)
  }

  /// Waits until what was written is on the disk; false when it does not get there.
  package borrowing func isOnDisk() -> Bool {
    // Some file systems cannot synchronize, and say so.
    reachDisk(descriptor) == 0 || errno == EINVAL
  }

  /// Synchronizes the names of a directory, as far as its file system can.
  package borrowing func synchronize(directoryOf path: String) {
    let (folder, _) = Self.split(path)
    let directory = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard directory >= 0 else { return }
    _ = reachDisk(directory)
    close(directory)
  }

  /// Removes the file, unless it has its name. The descriptor stays open.
  package mutating func discard() {
    if isPending { unlink(temporaryPath) }
    isPending = false
  }
}

extension NewFile {
  /// Writes a whole file: readers see either the old one or the new one.
  ///
  /// A link of the user's own is followed, since people keep their settings elsewhere; other links are
  /// replaced. Waits for the disk.
  ///
  /// - Parameter mode: who may read it; the owner alone, unless said otherwise.
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

  /// What a file that is written by that name replaces: behind a link of the user's own what it leads
  /// to, else whatever is there.
  package static func ownTarget(of path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
      status.st_uid == geteuid(), let real = realpath(path, nil)
    else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

import Foundation

/// Keeps the current input in a mapped file, so that it remains if the process ends.
final class BlackBox {
  private static let size = 1 << 21
  private let path: String
  private let memory: UnsafeMutableRawPointer
  private var count = 0

  init(_ name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "datastore-fuzz")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: name.replacingOccurrences(of: " ", with: "-")).path
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0, ftruncate(descriptor, off_t(Self.size)) == 0,
      let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      memory != MAP_FAILED
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    Glibc.close(descriptor)
    self.memory = memory
  }

  /// The length in text, a line end, the input.
  func record(_ input: [UInt8]) {
    let bytes = Array("\(input.count)\n".utf8) + input.prefix(Self.size - 32)
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    count = bytes.count
  }

  /// Keeps the file and prints its path.
  func keep() {
    munmap(memory, Self.size)
    truncate(path, off_t(count))
    print("fuzz: the input stands in \(path), behind its length and a line end")
  }

  func close() {
    munmap(memory, Self.size)
    unlink(path)
  }
}

import Foundation

/// Copies a file to another one, replacing some parts.
struct FileCopy {
  private let descriptor: Int32
  private let write: (UnsafeRawBufferPointer) throws -> Void
  /// How much of the file was copied or replaced.
  private var offset = 0
  private var last: UInt8?

  init(descriptor: Int32, write: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    self.descriptor = descriptor
    self.write = write
  }

  /// Whether the output ends with a line end, or is empty.
  var endsLine: Bool { last.map(Byte.isLineEnd) ?? true }

  /// Copies up to a place, or to the end of the file.
  mutating func copy(to end: Int) throws {
    let size = 1 << 16
    while offset < end {
      let piece = try read(min(size, end - offset), at: offset)
      if piece.isEmpty {
        guard end == .max else {
          throw ImportError.inaccessible(file: "the file", reason: "it has become shorter")
        }
        return
      }
      offset += piece.count
      try append(piece)
    }
  }

  mutating func replace(_ range: Range<Int>, by text: [UInt8]) throws {
    try copy(to: range.lowerBound)
    offset = range.upperBound
    try append(text)
  }

  mutating func append(_ bytes: [UInt8]) throws {
    guard let last = bytes.last else { return }
    self.last = last
    try bytes.withUnsafeBytes(write)
  }

  /// The bytes of a part of the file.
  func bytes(_ range: Range<Int>) throws -> [UInt8] {
    let bytes = try read(range.count, at: range.lowerBound)
    guard bytes.count == range.count else {
      throw ImportError.inaccessible(file: "the file", reason: "it has become shorter")
    }
    return bytes
  }

  /// As many bytes as there are, up to `count`.
  private func read(_ count: Int, at offset: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let read = pread(descriptor, buffer.baseAddress, count, off_t(offset))
      guard read >= 0 else {
        throw ImportError.inaccessible(file: "the file", reason: String(cString: strerror(errno)))
      }
      initialized = read
    }
  }
}

import DatastoreCore
import Foundation

/// The reading end of a line. For one thread.
struct FarInput: Sendable {
  private let file: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var bytes: Range<Int> = 0..<0
  /// Runs when bytes have arrived, and after each half second in which none have. Throws to end the line.
  var watched: (@Sendable (_ hasArrived: Bool) throws -> Void)?

  init(_ file: Int32) {
    self.file = file
  }

  /// The next message; nil at the end of the line.
  ///
  /// - Throws: `FarLineFault` if it is malformed.
  mutating func next() throws -> FarFrame? { try FarFrame.read { try fill($0) } }

  /// Reads a line of text before the first message.
  ///
  /// - Returns: the line without its end; nil if the input ends, or has no line end within that many bytes.
  mutating func line(atMost count: Int) throws -> String? {
    var line: [UInt8] = []
    while line.count < count {
      if bytes.isEmpty, try !read() { return nil }
      let byte = buffer[bytes.lowerBound]
      bytes.removeFirst()
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }

  private mutating func read() throws -> Bool {
    while true {
      if let watched {
        var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        let hasArrived = poll(&request, 1, 500) != 0
        try watched(hasArrived)
        if !hasArrived { continue }
      }
      let count = buffer.withUnsafeMutableBytes { Foundation.read(file, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes = 0..<count
        return true
      }
      if count == 0 { return false }
      if errno != EINTR { throw FarLineFault(String(cString: strerror(errno))) }
    }
  }

  /// - Returns: false if the line ends before the first byte.
  /// - Throws: `FarLineFault` if it ends after the first byte.
  private mutating func fill(_ wanted: UnsafeMutableRawBufferPointer) throws -> Bool {
    var place = 0
    while place < wanted.count {
      if bytes.isEmpty, try !read() {
        if place == 0 { return false }
        throw FarLineFault("it ended in the middle of a message")
      }
      let count = min(bytes.count, wanted.count - place)
      buffer.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: wanted[place..<place + count])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[bytes.prefix(count)]))
      }
      bytes = bytes.dropFirst(count)
      place += count
    }
    return true
  }
}

extension Range<Int> {
  fileprivate mutating func removeFirst() { self = lowerBound + 1..<upperBound }
}

/// A file that one thread reads and others may end. No thread uses a descriptor that has been closed and
/// given to another file.
final class FarInputFile: Sendable {
  /// Negative once it is closed.
  private let file: Lock<Int32>

  init(_ file: Int32) {
    self.file = Lock(file)
  }

  /// Ends the input of the reading thread if the file is a socket.
  func end() {
    file.withLock { if $0 >= 0 { shutdown($0, Int32(SHUT_RDWR)) } }
  }

  func close() {
    file.withLock { file in
      if file >= 0 { Foundation.close(file) }
      file = -1
    }
  }
}

import DatastoreCore
import Foundation

/// The end of a line that is read from. For one thread.
struct FarInput: Sendable {
  private let file: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var bytes: Range<Int> = 0..<0
  /// Called each time that nothing has come for half a second; throws to end the line.
  var waited: (@Sendable () throws -> Void)?

  init(_ file: Int32) {
    self.file = file
  }

  /// The next message; nil at the end of the line.
  ///
  /// - Throws: `FarLineFault` for what is no message.
  mutating func next() throws -> FarFrame? { try FarFrame.read { try fill($0) } }

  /// Reads a line of text before the first message.
  ///
  /// - Returns: the line without its end; nil where the input ends, or has no line in that many bytes.
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
      if let waited {
        var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        if poll(&request, 1, 500) == 0 {
          try waited()
          continue
        }
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

  /// - Returns: false where the line ends before the first byte.
  /// - Throws: `FarLineFault` where it ends behind it.
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

/// A file that one thread reads, and others may end: none of them touches another file that gets its number.
final class FarInputFile: Sendable {
  /// Negative when it is closed.
  private let file: Lock<Int32>

  init(_ file: Int32) {
    self.file = Lock(file)
  }

  /// Lets the thread that reads come to the end, where the file is a socket.
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

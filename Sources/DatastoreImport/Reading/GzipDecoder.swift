import Basics
import CZlib

/// Decodes text that gzip has compressed (RFC 1952) with zlib, piece by piece. Several compressed files may
/// follow one another, as the gzip program reads them; any other trailing data is ignored.
///
/// Uses the memory of one piece and that of zlib, about 40 kB.
final class GzipDecoder {
  typealias Fault = Decompressor.Fault

  /// Reads more compressed bytes; none at the end.
  private let receive: () throws -> [UInt8]
  /// Compressed bytes; those before `position` have been decoded.
  private var input: [UInt8]
  private var position = 0
  /// The number of compressed bytes received.
  private(set) var receivedCount: Int
  private var isAtEnd = false
  /// On the heap, since zlib refuses a stream that has moved.
  private let stream: UnsafeMutablePointer<z_stream>

  /// - Parameters:
  ///   - input: the first compressed bytes.
  ///   - receive: reads more of them; none at the end.
  init(_ input: [UInt8], receive: @escaping () throws -> [UInt8]) {
    self.input = input
    self.receive = receive
    receivedCount = input.count
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // It fails only if there is no memory, or if header and library of zlib differ in version.
    let status = czlib_gunzip_begin(stream)
    require(status == Z_OK, "zlib does not begin: \(status)")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Decodes the next bytes.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  /// - Throws: `Fault`, and the errors of receiving.
  func decode(into output: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
    var count = 0
    while count < output.count, !isAtEnd {
      if position == input.count { try receiveNext() }
      switch inflate(into: UnsafeMutableBufferPointer(rebasing: output[count...]), &count) {
      case Z_OK: break
      case Z_STREAM_END: try endFile()
      case Z_BUF_ERROR:
        // It needs more bytes, of which there are none.
        if input.isEmpty { throw Fault.truncated }
      default: throw Fault.damaged
      }
    }
    return count
  }

  /// Decodes as much as the input and the room allow.
  private func inflate(into room: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int) -> Int32 {
    let (status, read, written) = input[position...].withUnsafeBufferPointer { bytes in
      let (available, free) = (UInt32(clamping: bytes.count), UInt32(clamping: room.count))
      (stream.pointee.next_in, stream.pointee.avail_in) = (bytes.baseAddress, available)
      (stream.pointee.next_out, stream.pointee.avail_out) = (room.baseAddress, free)
      let status = CZlib.inflate(stream, Z_NO_FLUSH)
      return (status, available - stream.pointee.avail_in, free - stream.pointee.avail_out)
    }
    position += Int(read)
    count += Int(written)
    return status
  }

  private func receiveNext() throws {
    input = try receive()
    position = 0
    receivedCount += input.count
  }

  /// Continues with the file that follows, if there is one.
  private func endFile() throws {
    while input.count - position < 3 {
      let rest = input[position...]
      try receiveNext()
      if input.isEmpty {
        isAtEnd = true
        return
      }
      input.insert(contentsOf: rest, at: 0)
    }
    // Files may be padded with zeros, for example on tapes.
    isAtEnd = Compression(of: input[position...]) != .gzip
    if !isAtEnd { inflateReset(stream) }
  }
}

import CZlib

/// Decodes zlib data without a header: raw DEFLATE (RFC 1951).
enum RawInflation {
  /// The decoded content of a whole stream. Ignores bytes after the stream.
  ///
  /// - Parameter limit: the greatest number of decoded bytes, however few they were compressed to.
  /// - Throws: `CoreDataModelFault`.
  static func inflated(_ input: [UInt8], limit: Int) throws -> [UInt8] {
    var stream = z_stream()
    // It fails only without memory, or if the header is of another zlib than the library.
    guard czlib_inflate_begin(&stream) == Z_OK else { throw CoreDataModelFault.damagedCompression }
    defer { inflateEnd(&stream) }
    return try input.withUnsafeBufferPointer { bytes in
      stream.next_in = bytes.baseAddress
      stream.avail_in = UInt32(clamping: bytes.count)
      var output: [UInt8] = []
      var isAtEnd = false
      while !isAtEnd {
        output.reserveCapacity(output.count + piece)
        let made = try [UInt8](unsafeUninitializedCapacity: piece) { room, count in
          stream.next_out = room.baseAddress
          stream.avail_out = UInt32(piece)
          let status = inflate(&stream, Z_NO_FLUSH)
          count = piece - Int(stream.avail_out)
          // Without more input, an incomplete stream decodes nothing more.
          guard status == Z_OK || status == Z_STREAM_END else {
            throw CoreDataModelFault.damagedCompression
          }
          isAtEnd = status == Z_STREAM_END
        }
        output += made
        guard output.count <= limit else { throw CoreDataModelFault.tooGreat }
      }
      return output
    }
  }

  private static let piece = 1 << 16
}

/// Fields of CSV (RFC 4180), also with another delimiter, as bytes: one call for each cell must be cheap.
extension Quoting {
  /// Whether a field needs quotes: an empty one, which would mean NULL, and one with bytes that a reader
  /// would take for a delimiter, a quote, a line end or a byte order mark.
  @inlinable
  package static func fieldNeedsQuotes(
    _ bytes: UnsafeBufferPointer<UInt8>, delimiter: UInt8
  ) -> Bool {
    // At the start of a file, this byte could begin a byte order mark.
    if bytes.isEmpty || bytes[0] == 0xEF { return true }
    var needs = false
    // Without an early exit, so that the compiler can vectorize the loop.
    for byte in bytes {
      needs = needs || byte == delimiter || byte == 0x22 || byte == 0x0A || byte == 0x0D
    }
    return needs
  }

  /// Appends bytes between quotes, doubling the quotes inside.
  ///
  /// - Parameter quote: `"` for fields, `'` for texts of SQL.
  @inlinable
  package static func append(
    _ bytes: UnsafeBufferPointer<UInt8>, between quote: UInt8, to output: inout [UInt8]
  ) {
    output.append(quote)
    var start = 0
    for index in 0..<bytes.count where bytes[index] == quote {
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...index]))
      output.append(quote)
      start = index + 1
    }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
    output.append(quote)
  }
}

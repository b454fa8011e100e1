/// Fields of CSV (RFC 4180), and of the same with another delimiter, as bytes: there is one for each cell.
extension Quoting {
  /// Whether a field needs quotes: an empty one, which would be no value, and one that would be
  /// read as more than it is, or as something else.
  @inlinable
  package static func fieldNeedsQuotes(
    _ bytes: UnsafeBufferPointer<UInt8>, delimiter: UInt8
  ) -> Bool {
    // A byte order mark at the start of a file would be taken for one.
    if bytes.isEmpty || bytes[0] == 0xEF { return true }
    var needs = false
    // Without a way out, so that the compiler looks at several bytes at once.
    for byte in bytes {
      needs = needs || byte == delimiter || byte == 0x22 || byte == 0x0A || byte == 0x0D
    }
    return needs
  }

  /// Appends bytes between quotes, which are doubled inside of them.
  ///
  /// - Parameter quote: `"` of fields, `'` of texts of SQL.
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

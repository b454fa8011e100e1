#if PostgreSQL

/// A row that the server has sent, in binary form.
protocol ServerRow {
  /// The bytes of a field; nil for NULL. The number of the column must be in range.
  func field(_ column: Int) -> UnsafeRawBufferPointer?
}

struct ResultRow: ServerRow {
  let result: PostgreSQLResult
  let number: Int

  @inline(__always)
  func field(_ column: Int) -> UnsafeRawBufferPointer? { result.field(number, column) }
}

/// A row as `COPY … TO STDOUT (FORMAT BINARY)` sends it, which is the least work for both sides: the number
/// of fields, then each as its length (-1 for NULL) and its bytes.
///
/// https://www.postgresql.org/docs/15/sql-copy.html, “Binary Format”.
struct CopiedRow: ServerRow {
  private var fields: [UnsafeRawBufferPointer?]

  init(columnCount: Int) { fields = Array(repeating: nil, count: columnCount) }

  @inline(__always)
  func field(_ column: Int) -> UnsafeRawBufferPointer? { fields[column] }

  /// Finds the fields of the next row. They are valid as long as its bytes.
  ///
  /// - Returns: false if there is no row: at the end, and in a header that arrives by itself.
  mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    // The first bytes of the header, read as a number of fields, exceed what a table can have.
    if bytes.count >= Self.headerCount, bytes.network(UInt32.self, at: 0) == Self.signature {
      offset = Self.headerCount + Int(bytes.network(UInt32.self, at: Self.headerCount - 4))
    }
    guard bytes.count >= offset + 2, Int(bytes.network(Int16.self, at: offset)) == fields.count
    else { return false }
    offset += 2
    for column in fields.indices {
      let length = Int(bytes.network(Int32.self, at: offset))
      offset += 4
      if length < 0 {
        fields[column] = nil
      } else {
        fields[column] = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
        offset += length
      }
    }
    return true
  }

  /// `PGCO`.
  private static let signature: UInt32 = 0x5047_434F
  /// The signature, flags, and the length of an extension.
  private static let headerCount = 19
}
#endif

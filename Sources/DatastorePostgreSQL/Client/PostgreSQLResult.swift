#if PostgreSQL
import CPostgreSQL

/// The answer to one statement: rows in the server's binary form, or the number of rows it has written.
///
/// Numbers of rows and columns must be in range.
package final class PostgreSQLResult {
  let pointer: OpaquePointer

  /// Takes over the pointer.
  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { PQclear(pointer) }

  package var rowCount: Int { Int(PQntuples(pointer)) }

  package var columnCount: Int { Int(PQnfields(pointer)) }

  /// The number of rows that a statement has written, or read.
  package var affectedCount: Int {
    PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0
  }

  /// The kind of the statement and the number of rows, such as “INSERT 0 5” or “CREATE TABLE”.
  package var commandTag: String { PQcmdStatus(pointer).map { String(cString: $0) } ?? "" }

  package func columnName(_ column: Int) -> String {
    PQfname(pointer, Int32(column)).map { String(cString: $0) } ?? ""
  }

  package func type(ofColumn column: Int) -> PostgreSQLType {
    PostgreSQLType(rawValue: PQftype(pointer, Int32(column)))
  }

  package func isNull(_ row: Int, _ column: Int) -> Bool {
    PQgetisnull(pointer, Int32(row), Int32(column)) == 1
  }

  /// The bytes of a field; empty for NULL. Valid while the result lives.
  package func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: PQgetvalue(pointer, Int32(row), Int32(column)),
      count: Int(PQgetlength(pointer, Int32(row), Int32(column))))
  }

  /// The bytes of a field; nil for NULL. Valid while the result lives.
  @inline(__always)
  func field(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    isNull(row, column) ? nil : bytes(row, column)
  }

  /// A field of any type of integers, an oid or a Boolean; nil for NULL.
  package func integer(_ row: Int, _ column: Int) -> Int64? {
    isNull(row, column) ? nil : bytes(row, column).networkInteger
  }

  /// Whether a Boolean field is true; false for NULL.
  package func bool(_ row: Int, _ column: Int) -> Bool { integer(row, column) == 1 }

  /// A field of `real` or `double precision`; nil for NULL.
  package func real(_ row: Int, _ column: Int) -> Double? {
    isNull(row, column) ? nil : bytes(row, column).networkReal
  }

  /// A field of text, a name, an enum, `"char"` or json; nil for NULL.
  package func text(_ row: Int, _ column: Int) -> String? {
    isNull(row, column) ? nil : String(decoding: bytes(row, column), as: UTF8.self)
  }

  /// The elements of an array of one dimension; nil for NULL.
  package func integers(_ row: Int, _ column: Int) -> [Int64?]? {
    elements(row, column)?.map { $0?.networkInteger }
  }

  /// The elements of an array of one dimension; nil for NULL.
  package func texts(_ row: Int, _ column: Int) -> [String?]? {
    elements(row, column)?.map { $0.map { String(decoding: $0, as: UTF8.self) } }
  }

  private func elements(_ row: Int, _ column: Int) -> [UnsafeRawBufferPointer?]? {
    guard !isNull(row, column) else { return nil }
    let bytes = bytes(row, column)
    // Dimensions, whether there are NULLs, the type; for each dimension its count and first number.
    let dimensions = Int(bytes.network(Int32.self, at: 0))
    var count = 1
    for dimension in 0..<dimensions {
      count *= Int(bytes.network(Int32.self, at: 12 + dimension * 8))
    }
    guard dimensions > 0 else { return [] }
    var offset = 12 + dimensions * 8
    return (0..<count).map { _ in
      let length = Int(bytes.network(Int32.self, at: offset))
      offset += 4
      guard length >= 0 else { return nil }
      defer { offset += length }
      return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
    }
  }
}

extension UnsafeRawBufferPointer {
  /// A number whose most significant byte comes first.
  @inline(__always)
  func network<Integer: FixedWidthInteger>(_ type: Integer.Type, at offset: Int) -> Integer {
    Integer(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// An integer of one, two, four or eight bytes; 0 for any other count.
  var networkInteger: Int64 {
    switch count {
    case 1: Int64(self[0])
    case 2: Int64(network(Int16.self, at: 0))
    case 4: Int64(network(Int32.self, at: 0))
    case 8: network(Int64.self, at: 0)
    default: 0
    }
  }

  var networkMoment: ServerTime { ServerTime(microseconds: network(Int64.self, at: 0)) }

  /// A floating-point number of four or eight bytes.
  var networkReal: Double {
    count == 4
      ? Double(Float(bitPattern: network(UInt32.self, at: 0)))
      : Double(bitPattern: network(UInt64.self, at: 0))
  }
}

#endif

import Basics

#if PostgreSQL

/// An array of the server while it is filled: one piece of memory for all elements.
///
/// The layout: dimensions, whether there are NULLs, the element's type, the count, the number of the first
/// element; then each element as its length (-1 for NULL) and its bytes.
package struct PostgreSQLArray: ServerFields {
  package let element: PostgreSQLType
  package private(set) var count = 0
  package var bytes: [UInt8]

  private static let headerCount = 20

  /// - Parameter element: a type that has an array (`PostgreSQLType.array`).
  package init(of element: PostgreSQLType, capacity: Int = 0) {
    require(element.array != nil, "there is no array of the type \(element.rawValue)")
    self.element = element
    bytes = []
    bytes.reserveCapacity(Self.headerCount + capacity * 12)
    bytes.append(contentsOf: repeatElement(0, count: Self.headerCount))
  }

  package mutating func countField(isNull: Bool) {
    if isNull { bytes[7] = 1 }
    count += 1
  }

  /// The array as a value of a statement.
  package var parameter: PostgreSQLParameter {
    var bytes = bytes
    Self.write(count == 0 ? 0 : 1, at: 0, in: &bytes)
    Self.write(Int32(bitPattern: element.rawValue), at: 8, in: &bytes)
    if count == 0 {
      bytes.removeLast(8)
    } else {
      Self.write(Int32(count), at: 12, in: &bytes)
      Self.write(1, at: 16, in: &bytes)
    }
    return PostgreSQLParameter(type: element.array ?? .unknown, bytes: bytes)
  }

  private static func write(_ value: Int32, at offset: Int, in bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.bigEndian) { source in
      for (index, byte) in source.enumerated() { bytes[offset + index] = byte }
    }
  }
}

#endif

#if PostgreSQL

/// An array of the server while it is filled: one piece of memory for all elements.
///
/// The layout: dimensions, whether there are NULLs, the element's type, the count, the number of the first element;
/// then each element as its length (-1 for NULL) and its bytes.
package struct PostgreSQLArray {
  package let element: PostgreSQLType
  package private(set) var count = 0
  private var bytes: [UInt8]

  private static let headerCount = 20

  /// - Parameter element: a type that has an array (`PostgreSQLType.array`).
  package init(of element: PostgreSQLType, capacity: Int = 0) {
    precondition(element.array != nil, "there is no array of the type \(element.rawValue)")
    self.element = element
    bytes = []
    bytes.reserveCapacity(Self.headerCount + capacity * 12)
    bytes.append(contentsOf: repeatElement(0, count: Self.headerCount))
  }

  package mutating func appendNull() {
    put(Int32(-1))
    bytes[7] = 1
    count += 1
  }

  /// An integer, in the width of the array's elements; the bits of anything else of eight bytes.
  package mutating func append(_ value: some FixedWidthInteger) {
    put(Int32(value.bitWidth / 8))
    put(value)
    count += 1
  }

  package mutating func append(_ value: Double) { append(value.bitPattern) }

  package mutating func append(_ value: Float) { append(value.bitPattern) }

  package mutating func append(_ value: Bool) { append(value ? 1 as UInt8 : 0) }

  package mutating func append(bytes element: UnsafeBufferPointer<UInt8>) {
    put(Int32(element.count))
    bytes.append(contentsOf: element)
    count += 1
  }

  package mutating func append(utf8 element: some Collection<UInt8>) {
    put(Int32(element.count))
    bytes.append(contentsOf: element)
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

  private mutating func put(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private static func write(_ value: Int32, at offset: Int, in bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.bigEndian) { source in
      for (index, byte) in source.enumerated() { bytes[offset + index] = byte }
    }
  }
}

#endif

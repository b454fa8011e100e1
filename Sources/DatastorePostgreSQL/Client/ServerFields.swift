#if PostgreSQL
/// Values one after another as the server reads them, each as its length (-1 for NULL) and its bytes: the
/// common part of arrays and rows of COPY.
package protocol ServerFields {
  /// One piece of memory for all of them.
  var bytes: [UInt8] { get set }
  /// Counts a value that was appended.
  mutating func countField(isNull: Bool)
}

extension ServerFields {
  package mutating func appendNull() {
    put(Int32(-1))
    countField(isNull: true)
  }

  /// An integer, in the width of its column; the bits of anything else of eight bytes.
  package mutating func append(_ value: some FixedWidthInteger) {
    put(Int32(value.bitWidth / 8))
    put(value)
    countField(isNull: false)
  }

  package mutating func append(_ value: Double) { append(value.bitPattern) }

  package mutating func append(_ value: Float) { append(value.bitPattern) }

  package mutating func append(_ value: Bool) { append(value ? 1 as UInt8 : 0) }

  package mutating func append(bytes field: UnsafeBufferPointer<UInt8>) {
    put(Int32(field.count))
    bytes.append(contentsOf: field)
    countField(isNull: false)
  }

  package mutating func append(utf8 field: some Collection<UInt8>) {
    put(Int32(field.count))
    bytes.append(contentsOf: field)
    countField(isNull: false)
  }

  /// A number, its most significant byte first.
  package mutating func put(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }
}

/// One value of a type, used as a single parameter of a statement.
struct ServerField: ServerFields {
  let type: PostgreSQLType
  /// Its length and its bytes.
  var bytes: [UInt8] = []
  private var isNull = true

  init(of type: PostgreSQLType) { self.type = type }

  mutating func countField(isNull: Bool) { self.isNull = isNull }

  var parameter: PostgreSQLParameter {
    PostgreSQLParameter(type: type, bytes: isNull ? nil : Array(bytes.dropFirst(4)))
  }
}
#endif

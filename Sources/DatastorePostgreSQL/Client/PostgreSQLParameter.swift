#if PostgreSQL
package import DatastoreCore
package import Foundation

/// A value for a statement, in the server's binary form.
package struct PostgreSQLParameter: Sendable {
  package let type: PostgreSQLType
  /// Nil for NULL.
  let bytes: [UInt8]?
  /// Whether the bytes are the textual form, for types whose binary form is not known here.
  let isWritten: Bool

  package init(type: PostgreSQLType, bytes: [UInt8]?) {
    self.type = type
    self.bytes = bytes
    isWritten = false
  }

  /// A value in its textual form, which the server reads as the type it needs there.
  package init(written text: String, as type: PostgreSQLType = .unknown) {
    self.type = type
    bytes = Array(text.utf8)
    isWritten = true
  }

  package static func null(_ type: PostgreSQLType) -> PostgreSQLParameter {
    PostgreSQLParameter(type: type, bytes: nil)
  }

  package static func bool(_ value: Bool) -> PostgreSQLParameter {
    PostgreSQLParameter(type: .bool, bytes: [value ? 1 : 0])
  }

  package static func int8(_ value: Int64) -> PostgreSQLParameter {
    PostgreSQLParameter(type: .int8, bytes: value.networkBytes)
  }

  package static func float8(_ value: Double) -> PostgreSQLParameter {
    PostgreSQLParameter(type: .float8, bytes: value.bitPattern.networkBytes)
  }

  /// Text without NUL characters, which the server refuses.
  package static func text(_ value: String) -> PostgreSQLParameter {
    PostgreSQLParameter(type: .text, bytes: Array(value.utf8))
  }

  package static func bytea(_ value: Data) -> PostgreSQLParameter {
    PostgreSQLParameter(type: .bytea, bytes: Array(value))
  }

  package static func uuid(_ value: UUID) -> PostgreSQLParameter {
    PostgreSQLParameter(type: .uuid, bytes: withUnsafeBytes(of: value.uuid, Array.init))
  }

  package static func timestamptz(_ moment: ServerTime) -> PostgreSQLParameter {
    PostgreSQLParameter(type: .timestamptz, bytes: moment.microseconds.networkBytes)
  }

  /// An argument of a custom statement, which determines its type.
  package static func argument(_ value: Value) -> PostgreSQLParameter {
    switch value {
    case .null: .null(.unknown)
    case .integer(let integer): PostgreSQLParameter(written: String(integer))
    case .real(let real): PostgreSQLParameter(written: "\(real)")
    case .text(let text): PostgreSQLParameter(written: text)
    case .blob(let data): .bytea(data)
    }
  }

  /// All integers in one value, for `= ANY($1)`.
  package static func int8Array(_ values: some Collection<Int64>) -> PostgreSQLParameter {
    var array = PostgreSQLArray(of: .int8, capacity: values.count)
    for value in values { array.append(value) }
    return array.parameter
  }

  package static func textArray(_ values: some Collection<String>) -> PostgreSQLParameter {
    var array = PostgreSQLArray(of: .text, capacity: values.count)
    for value in values { array.append(utf8: value.utf8) }
    return array.parameter
  }
}

extension FixedWidthInteger {
  /// The bytes in network order, the most significant one first.
  var networkBytes: [UInt8] { withUnsafeBytes(of: bigEndian, Array.init) }
}

#endif

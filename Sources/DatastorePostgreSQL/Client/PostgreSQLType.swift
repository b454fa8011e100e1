#if PostgreSQL

/// A data type of the server by its number, which is the same on every server for built-in types.
package struct PostgreSQLType: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Determined by the server.
  package static let unknown = PostgreSQLType(rawValue: 0)
  package static let bool = PostgreSQLType(rawValue: 16)
  package static let bytea = PostgreSQLType(rawValue: 17)
  package static let name = PostgreSQLType(rawValue: 19)
  package static let int8 = PostgreSQLType(rawValue: 20)
  package static let int2 = PostgreSQLType(rawValue: 21)
  package static let int4 = PostgreSQLType(rawValue: 23)
  package static let text = PostgreSQLType(rawValue: 25)
  package static let float4 = PostgreSQLType(rawValue: 700)
  package static let float8 = PostgreSQLType(rawValue: 701)
  package static let varchar = PostgreSQLType(rawValue: 1043)
  package static let date = PostgreSQLType(rawValue: 1082)
  package static let timestamp = PostgreSQLType(rawValue: 1114)
  package static let timestamptz = PostgreSQLType(rawValue: 1184)
  package static let numeric = PostgreSQLType(rawValue: 1700)
  package static let uuid = PostgreSQLType(rawValue: 2950)

  /// The type of an array of that type, if it is one of the above that native columns have.
  package var array: PostgreSQLType? {
    switch self {
    case .bool: PostgreSQLType(rawValue: 1000)
    case .bytea: PostgreSQLType(rawValue: 1001)
    case .int2: PostgreSQLType(rawValue: 1005)
    case .int4: PostgreSQLType(rawValue: 1007)
    case .text: PostgreSQLType(rawValue: 1009)
    case .int8: PostgreSQLType(rawValue: 1016)
    case .float4: PostgreSQLType(rawValue: 1021)
    case .float8: PostgreSQLType(rawValue: 1022)
    case .timestamp: PostgreSQLType(rawValue: 1115)
    case .timestamptz: PostgreSQLType(rawValue: 1185)
    case .numeric: PostgreSQLType(rawValue: 1231)
    case .uuid: PostgreSQLType(rawValue: 2951)
    default: nil
    }
  }
}

#endif

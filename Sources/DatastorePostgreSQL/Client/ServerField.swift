#if PostgreSQL

/// One value of a type, to be a parameter of a statement by itself.
struct ServerField: ServerFields {
  let type: PostgreSQLType
  /// Its length and its bytes.
  var bytes: [UInt8] = []
  private var isNull = true

  init(of type: PostgreSQLType) { self.type = type }

  mutating func noteField(isNull: Bool) { self.isNull = isNull }

  var parameter: PostgreSQLParameter {
    PostgreSQLParameter(type: type, bytes: isNull ? nil : Array(bytes.dropFirst(4)))
  }
}
#endif

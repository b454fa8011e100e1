#if PostgreSQL
import DatastoreCore
import DatastoreSQL

/// How the values of a column travel: as the elements of an array, with the casts that a statement adds.
struct ServerForm {
  /// The type of the elements.
  let element: PostgreSQLType
  /// The cast of the element in the statement, if the server does not convert it by itself.
  let cast: SQLFragment?
  /// Whether it is read as text, and therefore compared as text: some of these types have no equality.
  let isReadAsText: Bool
  let isArray: Bool
  /// Whether the stored value may be NaN, which was read as NULL.
  let mayBeNaN: Bool
  /// Whether the column stores exactly the value that it is given: it neither rounds, nor pads, nor
  /// normalises it.
  let isExact: Bool

  /// The form of a native column (`PostgreSQLDialect.declaration(of:)`).
  init(storing type: AttributeType) {
    self.init(element: PostgreSQLType(storing: type))
  }

  static let key = ServerForm(storing: .integer64)

  /// The form of a plain column (`PostgreSQLDialect.plainDeclaration(of:)`) as COPY fills it, without casts.
  init(copying type: AttributeType) {
    self.init(element: type == .calendarDate ? .date : PostgreSQLType(storing: type))
  }

  /// The form of a key that is a whole number; nil for other types.
  init?(copyingKeyOf type: PostgreSQLType) {
    guard [.int2, .int4, .int8].contains(type) else { return nil }
    self.init(element: type)
  }

  private init(element: PostgreSQLType) {
    self.element = element
    cast = nil
    isReadAsText = false
    isArray = false
    mayBeNaN = false
    isExact = true
  }

  /// The form of a third-party column.
  init(_ type: SQLType?, attribute: AttributeType? = nil) {
    let kind = type?.kind ?? .other
    var cast: SQLFragment?
    switch kind {
    case .boolean: element = .bool
    case .integer:
      switch attribute {
      case .integer16: element = .int2
      case .integer32: element = .int4
      default: element = .int8
      }
    case .real: element = attribute == .float ? .float4 : .float8
    case .decimal: element = .numeric
    case .text: element = .text
    case .bytes: element = .bytea
    case .uuid: element = .uuid
    case .instant: element = .timestamptz
    case .localTime: element = .timestamp
    case .day, .other, .key:
      element = .text
      cast = type?.name.map { "::\(SQLFragment(stringLiteral: $0))" }
    }
    self.cast = cast
    isReadAsText = cast != nil
    isArray = type?.isArray ?? false
    mayBeNaN = type?.mayBeNaN ?? false
    isExact =
      switch kind {
      case .boolean, .integer, .text, .bytes, .uuid: true
      // Shorter types round to their own length.
      case .real: attribute == .double
      default: false
      }
  }

  /// An element as the column's type.
  func value(_ element: SQLFragment) -> SQLFragment { cast.map { "\(element)\($0)" } ?? element }

  /// The value of the column, as it was read.
  func stored(_ column: SQLFragment) -> SQLFragment {
    if isReadAsText { return "\(column)::text" }
    return mayBeNaN ? "NULLIF(\(column), 'NaN')" : column
  }

  func makeArray(capacity: Int = 0) -> PostgreSQLArray {
    PostgreSQLArray(of: element, capacity: capacity)
  }
}

/// A value that no column of its type holds.
struct Unstorable: Error {
  /// The end of a sentence about it.
  let detail: String
}

extension PostgreSQLType {
  /// The type of a native column (`PostgreSQLDialect.declaration(of:)`).
  init(storing type: AttributeType) {
    switch type.storedType {
    case .integer8, .integer16, .unsigned8: self = .int2
    case .integer32, .unsigned16: self = .int4
    case .integer64, .unsigned32, .unsigned64: self = .int8
    case .boolean: self = .bool
    case .float: self = .float4
    case .double: self = .float8
    case .decimal: self = .numeric
    case .text: self = .text
    case .moment: self = .timestamptz
    case .uuid: self = .uuid
    case .bytes: self = .bytea
    case .any: self = .unknown
    }
  }
}
#endif

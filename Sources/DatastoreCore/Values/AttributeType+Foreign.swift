extension AttributeType {
  /// The type that an attribute is read as from a table that was made for it in a third-party file:
  /// such columns have fewer types.
  package var foreignType: AttributeType {
    switch self {
    case .boolean: .boolean
    case .float, .double: .double
    case .data, .coded: .data
    case .string, .url, .date, .calendarDate, .uuid, .decimal, .undefined: .string
    default: .integer64
    }
  }
}

extension AttributeType {
  /// The type in a word, as every screen, schema and list of columns says it.
  package var word: String {
    switch self {
    case .integer8, .integer16, .integer32, .integer64: "integer"
    case .unsigned8, .unsigned16, .unsigned32, .unsigned64: "unsigned"
    case .boolean: "boolean"
    case .float, .double: "real"
    case .decimal: "decimal"
    case .string: "text"
    case .url: "URL"
    case .date: "date-time"
    case .calendarDate: "date"
    case .uuid: "UUID"
    case .data: "data"
    case .coded: "coded"
    case .undefined: "any"
    }
  }
}

import DatastoreCore

/// The type of an attribute in a word.
enum TypeText {
  /// What the file itself declares, where that says more than our types do.
  static func describe(_ attribute: AttributeDescription) -> String {
    if let declared = attribute.declaredType, !declared.isEmpty { return declared.lowercased() }
    return name(of: attribute.type)
  }

  private static func name(of type: AttributeType) -> String {
    switch type {
    case .integer8, .integer16, .integer32, .integer64: "integer"
    case .unsigned8, .unsigned16, .unsigned32, .unsigned64: "unsigned"
    case .boolean: "boolean"
    case .float, .double: "real"
    case .decimal: "decimal"
    case .string: "text"
    case .url: "URL"
    case .date, .calendarDate: "date"
    case .uuid: "UUID"
    case .data: "data"
    case .coded: "coded"
    case .undefined: "any"
    }
  }
}

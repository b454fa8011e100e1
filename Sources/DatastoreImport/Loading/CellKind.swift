import DatastoreCore

/// The kind of an attribute's cells, which decides whether fields can be stored by their bytes.
enum CellKind {
  case text
  case integer(ClosedRange<Int64>)
  case real
  case boolean
  case day
  case moment
  case other

  init(_ attribute: AttributeDescription?) {
    guard let attribute, attribute.dateConvention == nil, !attribute.isDeclaredDate else {
      self = .other
      return
    }
    switch attribute.type {
    case .string: self = .text
    case .integer8: self = .integer(Int64(Int8.min)...Int64(Int8.max))
    case .integer16: self = .integer(Int64(Int16.min)...Int64(Int16.max))
    case .integer32: self = .integer(Int64(Int32.min)...Int64(Int32.max))
    case .integer64: self = .integer(.min ... .max)
    case .unsigned8: self = .integer(0...Int64(UInt8.max))
    case .unsigned16: self = .integer(0...Int64(UInt16.max))
    case .unsigned32: self = .integer(0...Int64(UInt32.max))
    case .unsigned64: self = .integer(0 ... .max)
    case .double: self = .real
    case .boolean: self = .boolean
    case .calendarDate: self = .day
    case .date: self = .moment
    case .float, .decimal, .uuid, .url, .data, .coded, .undefined: self = .other
    }
  }
}

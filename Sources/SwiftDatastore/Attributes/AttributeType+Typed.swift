package import DatastoreCore
import Foundation

extension AttributeType {
  /// The Swift type of values: `Int`, `Date` and so on; `Value` if they may be of any type.
  package var valueType: any AttributeValueType.Type {
    switch self {
    case .integer8: Int8.self
    case .integer16: Int16.self
    case .integer32: Int32.self
    case .integer64: Int.self
    case .unsigned8: UInt8.self
    case .unsigned16: UInt16.self
    case .unsigned32: UInt32.self
    case .unsigned64: UInt64.self
    case .boolean: Bool.self
    case .float: Float.self
    case .double: Double.self
    case .decimal: Decimal.self
    case .string: String.self
    case .url: URL.self
    case .date: Date.self
    case .calendarDate: CalendarDate.self
    case .uuid: UUID.self
    case .data, .coded: Data.self
    case .undefined: Value.self
    }
  }
}

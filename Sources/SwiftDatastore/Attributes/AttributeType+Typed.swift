package import DatastoreCore
import Foundation

extension AttributeType {
  /// A stored value as it is in Swift: an `Int`, a `Date` and so on; nil when it is missing or of another type.
  package func typed(_ stored: Value) -> Any? {
    let type: any AttributeValueType.Type =
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
      case .undefined: String.self
      }
    return type.init(storedValue: stored)
  }
}

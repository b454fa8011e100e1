public import DatastoreCore

/// Stored as TEXT: `1872-11-30`.
extension CalendarDate: AttributeValueType {
  public static var attributeType: AttributeType { .calendarDate }
  public var storedValue: Value { .text(description) }
  public init?(storedValue: Value) {
    guard case .text(let text) = storedValue else { return nil }
    self.init(text)
  }
}

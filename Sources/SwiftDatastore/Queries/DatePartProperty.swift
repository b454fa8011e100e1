import Basics
public import DatastoreCore

/// A part of a date, for finding, sorting, grouping and selecting: `\.$hiredAt.month`.
///
/// In UTC. Missing if the date is missing.
public struct DatePartProperty<Part: CalendarPart>: EntityProperty, QueryProperty,
  SelectableProperty, FetchableProperty
{
  public typealias FetchedValue = Part.PartValue
  public let object: DatastoreObject
  public let slot: Slot

  public init(object: DatastoreObject, slot: Slot) {
    self.object = object
    self.slot = slot
  }

  /// The part of the object's current date.
  public var value: Part.PartValue? {
    object.requireAccess()
    guard let dates = object.entity.properties[slot].attribute?.dates else { return nil }
    return Part.PartValue(storedValue: Part.part.value(of: object.value(at: slot), dates))
  }

  public static func operand(along path: [String]) -> Predicate.Operand {
    .keyPath(path + [Part.part.step])
  }

  public static func storedValue(of value: Part.PartValue) -> Value { value.storedValue }

  public static func selected(from row: SelectedRow) throws -> Part.PartValue? {
    try row.optionalValue()
  }

  public static func found(in row: SelectedRow) throws -> Part.PartValue? {
    try row.optionalValue()
  }
}

/// A part of a date; only the types of `CalendarParts` conform.
public protocol CalendarPart: SendableMetatype {
  /// The type of the part: a number, or a text that sorts by time.
  associatedtype PartValue: AttributeValueType
  /// Only this library defines parts.
  static var name: String { get }
}

extension CalendarPart {
  static var part: DatePart {
    guard let part = DatePart(rawValue: name) else {
      trap("“\(name)” is not a part of a date")
    }
    return part
  }
}

/// The parts of dates.
public enum CalendarParts {
  /// A number: 2024.
  public enum Year: CalendarPart {
    public typealias PartValue = Int
    public static let name = "year"
  }

  /// A text: `2024-Q2`.
  public enum Quarter: CalendarPart {
    public typealias PartValue = String
    public static let name = "quarter"
  }

  /// A text: `2024-05`.
  public enum Month: CalendarPart {
    public typealias PartValue = String
    public static let name = "month"
  }

  /// The week of ISO 8601, which begins on a Monday, as a text: `2024-W18`.
  public enum Week: CalendarPart {
    public typealias PartValue = String
    public static let name = "week"
  }

  /// A date without a time.
  public enum Day: CalendarPart {
    public typealias PartValue = CalendarDate
    public static let name = "day"
  }

  /// A number from 1, Monday, to 7, Sunday.
  public enum Weekday: CalendarPart {
    public typealias PartValue = Int
    public static let name = "weekday"
  }

  /// A number from 0 to 23.
  public enum Hour: CalendarPart {
    public typealias PartValue = Int
    public static let name = "hour"
  }
}

/// The parts of an attribute that holds dates.
extension FetchableProperty where FetchedValue: DateValueType {
  /// The year, a number: `\.$hiredAt.year == 2024`.
  public var year: DatePartProperty<CalendarParts.Year> { part() }
  /// The quarter, a text such as `2024-Q2`.
  public var quarter: DatePartProperty<CalendarParts.Quarter> { part() }
  /// The month, a text such as `2024-05`.
  public var month: DatePartProperty<CalendarParts.Month> { part() }
  /// The week of ISO 8601, a text such as `2024-W18`.
  public var week: DatePartProperty<CalendarParts.Week> { part() }
  /// The day.
  public var day: DatePartProperty<CalendarParts.Day> { part() }
  /// The day of the week, from 1, Monday, to 7, Sunday.
  public var weekday: DatePartProperty<CalendarParts.Weekday> { part() }
  /// The hour, from 0 to 23; missing for dates without a time.
  public var hour: DatePartProperty<CalendarParts.Hour> { part() }

  private func part<Part>() -> DatePartProperty<Part> {
    DatePartProperty(object: object, slot: slot)
  }
}

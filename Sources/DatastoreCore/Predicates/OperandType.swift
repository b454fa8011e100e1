import Foundation

/// The type of an operand's values: determines how the constant on the other side is read and printed.
package enum OperandType: Sendable, Hashable {
  case constant
  case attribute(AttributeType)
  /// A column of a third-party file that stores dates.
  case storedDate(DateConvention)
  /// A column of a third-party file that is declared to hold text: a number in it is a text, too.
  case storedText
  /// A column of a third-party file that is declared to hold numbers. It may hold other values, but no text
  /// of a number, which would have become the number.
  case storedNumber
  /// A relationship or the object itself: the key of an object.
  case key
  /// A count, a sum, an average or arithmetic.
  case number

  /// The type of an operand; names that do not resolve count as `undefined`.
  package init(_ operand: Predicate.Operand, from entity: Entity, in schema: Schema) {
    switch operand {
    case .value, .list: self = .constant
    case .count, .arithmetic, .aggregate(.sum, _), .aggregate(.average, _): self = .number
    case .keyPath(let path), .aggregate(_, let path):
      guard let resolved = try? PredicatePath(path, from: entity, in: schema) else {
        self = .attribute(.undefined)
        return
      }
      self.init(resolved.destination)
    case .function(let function, let arguments):
      self.init(function, arguments.map { OperandType($0, from: entity, in: schema) })
    }
  }

  /// The type of a function's result.
  ///
  /// - Parameter arguments: the types of its arguments.
  init(_ function: Predicate.Function, _ arguments: [OperandType]) {
    switch function {
    case .lowercase, .uppercase, .trim, .left, .right, .replace, .concat: self = .attribute(.string)
    case .length, .abs, .round, .floor, .ceiling, .days: self = .number
    case .coalesce: self = arguments.first { $0 != .constant } ?? .constant
    case .json: self = .attribute(.undefined)
    }
  }

  init(_ destination: PredicatePath.Destination) {
    switch destination {
    case .object: self = .key
    case .attribute(let attribute):
      if let convention = attribute.dateConvention {
        self = .storedDate(convention)
      } else if let declared = attribute.declaredType {
        self.init(declared, attribute.type)
      } else {
        self = .attribute(attribute.type)
      }
    }
  }

  /// Columns that a third-party file declares may hold any values, which are taken literally; but files
  /// convert numbers and their texts into what a column is declared to hold.
  private init(_ declared: String, _ type: AttributeType) {
    switch type {
    // Dates are declared as such, and their columns hold numbers as they are.
    case .string where !DateNames.isDeclared(declared): self = .storedText
    case .float, .double: self = .storedNumber
    case _ where type.isInteger: self = .storedNumber
    case .undefined where ["DEC", "NUM"].contains(where: { declared.uppercased().hasPrefix($0) }):
      self = .storedNumber
    // Columns of a server, which hold nothing else.
    case .date, .calendarDate, .uuid: self = .attribute(type)
    default: self = .attribute(.undefined)
    }
  }

  /// How dates are stored, if the values are dates.
  package var dates: DateConvention? {
    switch self {
    case .storedDate(let convention): convention
    case .attribute(let type): type.ownDates
    case .constant, .key, .number, .storedText, .storedNumber: nil
    }
  }

  /// Whether text comparisons make sense.
  package var isText: Bool {
    switch self {
    case .constant, .storedText, .storedNumber: true
    case .attribute(let type): type.storedType == .text || type == .undefined
    case .storedDate(let convention): convention.isText
    case .key, .number: false
    }
  }

  /// Whether the values may be JSON, so that a path can continue in them.
  package var mayBeJSON: Bool {
    switch self {
    case .constant, .attribute(.string), .attribute(.undefined), .attribute(.coded),
      .attribute(.data), .storedText, .storedNumber:
      true
    default: false
    }
  }

  /// Whether arithmetic makes sense.
  package var isNumber: Bool {
    switch self {
    case .number, .key, .constant, .storedNumber: true
    case .storedText: false
    case .storedDate(let convention): !convention.isText
    case .attribute(let type):
      switch type.storedType {
      case .text, .uuid, .bytes: false
      case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
        .unsigned64, .boolean, .float, .double, .decimal, .moment, .any:
        true
      }
    }
  }

  /// The name of a constant of this type in an error.
  package var expected: String {
    switch self {
    case .constant, .attribute(.undefined): "a value"
    case .key: "NULL or the number of an object"
    case .attribute(.boolean): "TRUE or FALSE"
    case .attribute(.date), .storedDate: "a date such as \"2024-01-31\" or \"2024-01-31T12:00:00Z\""
    case .attribute(.calendarDate): "a date such as \"2024-01-31\""
    case .attribute(.uuid): "a UUID in quotes"
    case .attribute(.data), .attribute(.coded): "bytes such as x'00FF'"
    case .attribute(.string), .attribute(.url), .storedText: "text in quotes"
    case .attribute(.decimal), .number, .storedNumber, .attribute: "a number"
    }
  }

  /// The stored form of a constant that is compared with this type, or nil when it does not fit.
  func coerced(_ value: Value) -> Value? {
    if value.isNull { return value }
    switch self {
    case .constant, .attribute(.undefined): return value
    case .storedDate(.text(let style)):
      if case .text(let text) = value { return Self.date(text, in: style) }
      return nil
    case .storedDate(let convention):
      if case .text(let text) = value { return Moment(text).map { convention.comparable($0) } }
    case .storedText:
      if value.number != nil { return nil }
      return value
    case .storedNumber:
      if case .text(let text) = value, Self.number(text) != nil { return nil }
      return value
    case .attribute(.string), .attribute(.url):
      if case .text = value { return value }
      return nil
    case .attribute(.date):
      if case .text(let text) = value { return ISODate.parse(text).map { .real($0) } }
    case .attribute(.calendarDate): return Self.calendarDate(value)
    case .attribute(.uuid):
      if case .text(let text) = value {
        return UUID(uuidString: text).map { .blob($0.bytes) }
      }
      if case .blob = value { return value }
      return nil
    case .attribute(.data), .attribute(.coded):
      if case .blob = value { return value }
      return nil
    case .attribute(.decimal):
      return Value(decimalFrom: value)
    case .attribute(.float):
      // 1.1 is one of the numbers that such a column holds; as a double it would be between two of them.
      if case .real(let real) = value { return .real(Double(Float(real))) }
    case .key, .number, .attribute: break
    }
    // `Value` itself accepts a nil literal, so a conditional expression would return NULL here.
    guard value.number != nil else { return nil }
    return value
  }

  /// A date in the style of a column, or the beginning of one: `2024-01`, which compares with dates like
  /// text.
  private static func date(_ text: String, in style: DateTextStyle) -> Value? {
    if let moment = Moment(text) {
      // A text that the column may hold is meant as it is, with all digits of its fraction.
      return style.isLike(text) ? Value.text(text) : DateConvention.text(style).comparable(moment)
    }
    let rest = "2000-01-01".dropFirst(text.count)
    guard ISODate.parse(text + rest) != nil else { return nil }
    return .text(text)
  }

  /// A date without a time, the beginning of one, or a moment, which is between two days; the day of a number
  /// of seconds, in UTC.
  private static func calendarDate(_ value: Value) -> Value? {
    switch value {
    case .text(let text): return date(text, in: .day)
    case .integer, .real:
      return value.number.flatMap { ISODate.format($0) }.map { .text(String($0.prefix(10))) }
    default: return nil
    }
  }
}

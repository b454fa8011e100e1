import DatastoreCore
import Foundation
import SwiftDatastore

/// The reason why a value does not fit an attribute: a part of a sentence.
struct ConversionFault: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

extension ImportValue {
  /// The value as an attribute of that type stores it. Null is null for every type, and so is a text that
  /// marks a missing value if it could be nothing else.
  ///
  /// - Parameter reading: how texts are read; types are inferred by the same rules.
  func converted(
    to type: AttributeType, _ reading: ValueReading = ValueReading()
  ) throws(ConversionFault) -> Value {
    if case .null = self { return .null }
    if case .number(_, let value) = self { return try value.converted(to: type, reading) }
    if case .text(let text) = self, type.hasMarks, reading.marks.contains(text) { return .null }
    if reading.decimalMark == .comma, type.isNumeric, case .text(let text) = self {
      guard let plain = reading.decimalMark.plain(text) else {
        throw ConversionFault("\(shown) is not a number with a decimal comma")
      }
      return try ImportValue.text(plain).converted(to: type)
    }
    switch type {
    case .integer8: return try integer(Int8.self, "an 8-bit integer")
    case .integer16: return try integer(Int16.self, "a 16-bit integer")
    case .integer32: return try integer(Int32.self, "a 32-bit integer")
    case .integer64: return try integer(Int64.self, "a 64-bit integer")
    case .unsigned8: return try integer(UInt8.self, "an unsigned 8-bit integer")
    case .unsigned16: return try integer(UInt16.self, "an unsigned 16-bit integer")
    case .unsigned32: return try integer(UInt32.self, "an unsigned 32-bit integer")
    case .unsigned64: return try integer(UInt64.self, "an unsigned 64-bit integer")
    case .boolean: return try boolean()
    case .float:
      let real = try real(reading)
      let float = Float(real)
      if float.isInfinite, real.isFinite {
        throw ConversionFault("\(shown) is too large for a number of 32 bits")
      }
      return float.storedValue
    case .double: return try real(reading).storedValue
    case .decimal: return try decimal()
    case .string: return .text(text ?? "")
    case .date:
      guard let seconds = ISODate.parse(try isoDate(reading)) else { throw noDate }
      return .real(seconds)
    case .calendarDate:
      let iso = try isoDate(reading)
      guard TableDate.isDay(iso) else {
        throw ConversionFault("\(shown) has a time, which a date without one cannot keep")
      }
      return .text(iso)
    case .uuid:
      guard case .text(let text) = self, let uuid = UUID(uuidString: text) else {
        throw ConversionFault("\(shown) is not a UUID")
      }
      return uuid.storedValue
    case .url:
      guard case .text(let text) = self, let url = ValueReading.url(text) else {
        throw ConversionFault("\(shown) is not a URL")
      }
      return url.storedValue
    case .data, .coded:
      guard case .text(let text) = self, let data = Data(base64Encoded: text) else {
        throw ConversionFault("\(shown) is not Base64")
      }
      return .blob(data)
    case .undefined: return undefined
    }
  }

  /// A date as a column of another program stores it; nil if the text is no date, such as a number, which is
  /// stored unchanged.
  func date(
    in convention: DateConvention, _ reading: ValueReading
  ) throws(ConversionFault) -> Value? {
    guard case .text(let text) = self, let moment = reading.isoDate(text).flatMap(Moment.init)
    else { return nil }
    if let value = convention.value(of: moment) { return value }
    throw ConversionFault("\(shown) cannot be stored as \(convention.title)")
  }

  private func isoDate(_ reading: ValueReading) throws(ConversionFault) -> String {
    guard case .text(let text) = self else { throw noDate }
    if let iso = reading.isoDate(text) { return iso }
    guard reading.dates == nil, let orders = TableDate.orders(text), !orders.isEmpty else {
      throw noDate
    }
    throw ConversionFault(
      "which number of \(shown) is the month is not certain; use --dates day-first or "
        + "--dates month-first")
  }

  private var noDate: ConversionFault {
    ConversionFault(
      "\(shown) is not a date; write it like 2024-05-01 or 2024-05-01T09:30:00Z")
  }

  private func integer<Integer: FixedWidthInteger & AttributeValueType>(
    _ type: Integer.Type, _ name: String
  ) throws(ConversionFault) -> Value {
    // SQLite's integers are signed 64-bit integers.
    let maximum =
      UInt64(clamping: Integer.max) > UInt64(Int64.max) ? "\(Int64.max)" : "\(Integer.max)"
    func stored(_ exact: Integer) -> Value? { Int64(exactly: exact).map(Value.integer) }
    switch self {
    case .integer(let integer):
      if let value = Integer(exactly: integer).flatMap(stored) { return value }
    case .real(let real):
      guard real.rounded() == real else { throw ConversionFault("\(shown) is not an integer") }
      if let value = Integer(exactly: real).flatMap(stored) { return value }
    case .text(let text):
      if let value = Integer(text).flatMap(stored) { return value }
      let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
      if digits.isEmpty || !digits.utf8.allSatisfy(Byte.isDigit) {
        throw ConversionFault("\(shown) is not an integer")
      }
    default: throw ConversionFault("\(shown) is not an integer")
    }
    throw ConversionFault("\(shown) is not within \(name), \(Integer.min) to \(maximum)")
  }

  private func boolean() throws(ConversionFault) -> Value {
    switch self {
    case .boolean(let boolean): return boolean.storedValue
    case .integer(0), .integer(1): return .integer(self == .integer(1) ? 1 : 0)
    case .text(let text):
      switch text.lowercased() {
      case "true", "yes", "1": return .integer(1)
      case "false", "no", "0": return .integer(0)
      default: break
      }
    default: break
    }
    throw ConversionFault("\(shown) is neither true nor false")
  }

  private func real(_ reading: ValueReading) throws(ConversionFault) -> Double {
    switch self {
    case .integer(let integer): return Double(integer)
    case .real(let real): return real
    case .text(let text):
      if let infinity = reading.infinity(text) { return infinity }
      // Double also reads hexadecimal, “inf” and “nan”, which are not numbers in a table.
      if Self.isNumber(text), let real = Double(text) {
        if real.isFinite { return real }
        throw ConversionFault("\(shown) is too large for a number")
      }
    default: break
    }
    throw ConversionFault("\(shown) is not a number")
  }

  private func decimal() throws(ConversionFault) -> Value {
    switch self {
    case .integer(let integer): return Decimal(integer).storedValue
    case .real, .text:
      guard let text, Self.isNumber(text), let decimal = Decimal(string: text), !decimal.isNaN
      else { break }
      guard ValueReading.fitsDecimal(text) else {
        throw ConversionFault("\(shown) has more digits than the 38 that a decimal keeps")
      }
      return decimal.storedValue
    default: break
    }
    throw ConversionFault("\(shown) is not a decimal number")
  }

  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { Byte.isDigit($0) || "+-.eE".utf8.contains($0) }
  }

  /// Columns without a type take values unchanged; SQLite applies the column's affinity.
  private var undefined: Value {
    switch self {
    case .null: .null
    case .boolean(let boolean): boolean.storedValue
    case .integer(let integer): .integer(integer)
    case .real(let real): real.storedValue
    case .number(_, let value): value.undefined
    case .text, .list, .record: .text(text ?? "")
    }
  }
}

extension AttributeType {
  /// Whether a text that marks a missing value could be nothing else for this type.
  fileprivate var hasMarks: Bool {
    switch self {
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64, .float, .double, .decimal, .boolean, .date, .calendarDate, .uuid, .url:
      true
    case .string, .data, .coded, .undefined: false
    }
  }

  var isDate: Bool { self == .date || self == .calendarDate }
}

extension AttributeDescription {
  /// The type by which values of files are read. Third-party columns that are declared as DATE store dates in
  /// ISO 8601, which is the form that SQLite's own functions take.
  func typeReading(_ value: ImportValue, _ reading: ValueReading) -> AttributeType {
    guard isDeclaredDate, case .text(let text) = value, let iso = reading.isoDate(text),
      TableDate.isDay(iso)
    else { return type }
    return .calendarDate
  }

  /// Whether the declaration says that the column has dates without a time.
  var isDeclaredDate: Bool {
    (type == .undefined || type == .string) && declaredType?.uppercased() == "DATE"
  }
}

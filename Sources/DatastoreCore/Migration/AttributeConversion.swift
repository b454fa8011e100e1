import Foundation

/// The lossless conversion of stored values from one attribute type to another.
///
/// A value is converted only if converting it back gives the same value: `"7"` becomes 7, `"007"` does not.
package struct AttributeConversion: Sendable, Hashable {
  package let from: AttributeType
  package let to: AttributeType

  package init(from: AttributeType, to: AttributeType) {
    self.from = from
    self.to = to
  }

  /// The effect on values.
  package enum Kind: Sendable, Hashable {
    /// Every value keeps its stored form and its meaning.
    case identity
    /// Every value fits.
    case lossless
    /// Each value has to be checked.
    case checked
    /// No value fits.
    case impossible
  }

  package var kind: Kind {
    if from == to || to == .undefined { return .identity }
    if let old = from.wholeNumbers, let new = to.wholeNumbers {
      return new.contains(old.lowerBound) && new.contains(old.upperBound) ? .lossless : .checked
    }
    switch (from, to) {
    case (.date, .double), (.double, .date), (.float, .double), (.float, .date), (.url, .string),
      (.calendarDate, .string), (.uuid, .data), (.coded, .data):
      return .lossless
    case (_, .coded) where from != .undefined && from != .data: return .lossless
    case (_, .double), (_, .float):
      if let range = from.wholeNumbers {
        let exact = to == .double ? Int64(1) << 53 : Int64(1) << 24
        return range.lowerBound >= -exact && range.upperBound <= exact ? .lossless : .checked
      }
    case (_, .decimal), (_, .string):
      if from.wholeNumbers != nil, from != .boolean || to == .decimal { return .lossless }
      if to == .string, [.decimal, .uuid, .double, .float].contains(from) { return .lossless }
    default: break
    }
    if from == .undefined || from == .coded { return .checked }
    // A truth value or a moment has more than one text.
    let isGuess = from == .boolean || to == .boolean || from == .date || to == .date
    let pair = Set([from.family, to.family])
    let isPossible =
      pair.count == 1 || pair == [.text, .number] && !isGuess || pair == [.text, .identifier]
      || pair == [.number, .moment] && from != .boolean && to != .boolean
      || pair == [.bytes, .identifier]
    return isPossible ? .checked : .impossible
  }

  /// The converted value; nil when it does not fit. NULL stays NULL.
  package func convert(_ value: Value) -> Value? {
    if value.isNull { return .null }
    let kind = self.kind
    if kind == .identity { return value }
    guard kind != .impossible, let converted = oneWay(value) else { return nil }
    // JSON has one text for a value, and a UUID is the same in lower case.
    if to == .coded || to == .uuid && from == .string { return converted }
    let back = AttributeConversion(from: to, to: from)
    return back.oneWay(converted) == canonical(value) ? converted : nil
  }

  /// A stored value in the form of its type: other programs may have stored an integer in a column of reals.
  private func canonical(_ value: Value) -> Value? {
    if from == .undefined { return AttributeConversion(from: to, to: .undefined).oneWay(value) }
    return AttributeConversion(from: from, to: from).oneWay(value)
  }

  private func oneWay(_ value: Value) -> Value? {
    if from == .coded, to != .coded, to != .data { return Self.decoded(value, as: to) }
    switch to {
    case .undefined: return value
    case .coded: return from == .coded || from == .data ? value : Self.encoded(value, of: from)
    case .boolean, .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16,
      .unsigned32, .unsigned64:
      guard let integer = value.wholeNumber, let range = to.wholeNumbers, range.contains(integer)
      else { return nil }
      return .integer(integer)
    case .double, .date: return value.double.map { .real($0) }
    case .float: return value.double.map { .real(Double(Float($0))) }
    case .decimal: return Value(decimalFrom: value)
    case .string, .url: return text(of: value).flatMap { to == .url ? Self.address($0) : .text($0) }
    case .calendarDate:
      guard let text = text(of: value), let date = CalendarDate(text) else { return nil }
      return .text(date.description)
    case .uuid:
      switch value {
      case .blob(let data): return data.count == 16 ? value : nil
      case .text(let text): return UUID(uuidString: text).map { .blob($0.bytes) }
      default: return nil
      }
    case .data:
      if case .blob = value { return value }
      return nil
    }
  }

  private func text(of value: Value) -> String? {
    switch value {
    case .text(let text): return text
    case .integer(let integer): return String(integer)
    case .real(let real):
      return from == .decimal ? Decimal(stored: value)?.description : real.description
    case .blob(let data):
      return from == .uuid ? UUID(bytes: data)?.uuidString : nil
    case .null: return nil
    }
  }

  private static func address(_ text: String) -> Value? {
    URL(string: text).map { .text($0.absoluteString) }
  }
}

/// The stored form of a `Codable` property: JSON.
extension AttributeConversion {
  private static func encoded(_ value: Value, of type: AttributeType) -> Value? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    let data: Data?
    switch (value, type) {
    case (.integer(let integer), .boolean): data = try? encoder.encode(integer != 0)
    case (.integer(let integer), _): data = try? encoder.encode(integer)
    case (_, .decimal): data = Decimal(stored: value).flatMap { try? encoder.encode($0) }
    case (.real(let real), _): data = try? encoder.encode(real)
    case (.text(let text), _): data = try? encoder.encode(text)
    case (.blob(let bytes), .uuid): data = UUID(bytes: bytes).flatMap { try? encoder.encode($0) }
    case (.blob(let bytes), _): data = try? encoder.encode(bytes)
    case (.null, _): data = nil
    }
    return data.map { .blob($0) }
  }

  private static func decoded(_ value: Value, as type: AttributeType) -> Value? {
    guard case .blob(let data) = value else { return nil }
    let decoder = JSONDecoder()
    func decode<T: Decodable>(_: T.Type) -> T? { try? decoder.decode(T.self, from: data) }
    switch type {
    case .boolean: return decode(Bool.self).map { .integer($0 ? 1 : 0) }
    case .float, .double, .date: return decode(Double.self).map { .real($0) }
    case .decimal: return decode(Decimal.self).map { Value(decimal: $0) }
    case .string: return decode(String.self).map { .text($0) }
    case .url: return decode(String.self).flatMap(address)
    case .calendarDate: return decode(CalendarDate.self).map { .text($0.description) }
    case .uuid: return decode(UUID.self).map { .blob($0.bytes) }
    case .data, .coded, .undefined: return value
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64:
      guard let integer = decode(Int64.self), let range = type.wholeNumbers,
        range.contains(integer)
      else { return nil }
      return .integer(integer)
    }
  }
}

extension AttributeType {
  fileprivate enum Family { case number, text, moment, bytes, identifier, any }

  fileprivate var family: Family {
    switch self {
    case .string, .url, .calendarDate: .text
    case .date: .moment
    case .data: .bytes
    case .uuid: .identifier
    case .coded, .undefined: .any
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64, .boolean, .float, .double, .decimal:
      .number
    }
  }
}

extension Value {
  /// The integer denoted by a number or a text, if it is one.
  fileprivate var wholeNumber: Int64? {
    switch self {
    case .integer(let integer): integer
    case .real(let real): Int64(exactly: real)
    case .text(let text): Int64(text)
    case .null, .blob: nil
    }
  }

  fileprivate var double: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    case .null, .blob: nil
    }
  }
}

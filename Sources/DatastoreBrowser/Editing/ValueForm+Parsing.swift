import DatastoreCore
import DatastoreImport
import Foundation

extension ValueForm {
  /// Parses a text as a value of the attribute.
  ///
  /// - Parameter old: the value to be replaced; in a column without a type, its kind decides.
  /// - Throws: `ValueFault` with the fault and the accepted forms.
  func parse(_ text: String, replacing old: Value = .null) throws(ValueFault) -> Value {
    if let convention = attribute.dateConvention {
      return try storedDate(text, convention, replacing: old)
    }
    switch attribute.type {
    case .string:
      try requirePossible(text)
      return .text(text)
    case .coded, .data: return .text(text)
    case .url: return try url(text)
    case .undefined: return try untyped(text, replacing: old)
    case .boolean: return try boolean(word(text))
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64:
      return try integer(plainNumber(text))
    case .float, .double: return try real(plainNumber(text))
    case .decimal: return try decimal(plainNumber(text))
    case .date: return try date(word(text))
    case .calendarDate: return try day(word(text))
    case .uuid: return try uuid(word(text))
    }
  }

  /// The text without spaces around it, in which there is no empty value.
  private func word(_ text: String) throws(ValueFault) -> String {
    let text = text.trimmingCharacters(in: .whitespaces)
    if text.isEmpty {
      throw ValueFault("Type \(wanted) for \(attribute.name), or press ctrl-n for NULL.")
    }
    return text
  }

  /// A number in Swift's form, which the file may write with a comma. Other texts are returned unchanged.
  private func plainNumber(_ text: String) throws(ValueFault) -> String {
    let text = try word(text)
    guard decimalMark == .comma, let plain = decimalMark.plain(text), plain != text else {
      return text
    }
    // Points separate thousands in such a file, but the table shows decimals with a point.
    if !attribute.type.isInteger, text.wholeMatch(of: Self.number) != nil {
      throw ValueFault(
        "“\(text)” may have thousands or decimals; type \(plain) or \(marked(text)).")
    }
    return plain
  }

  /// Columns that are declared for dates may hold any text, but a text in the form of a date must be a valid
  /// date.
  private func requirePossible(_ text: String) throws(ValueFault) {
    guard takesDates, text.prefixMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil,
      !ISODate.isDay(String(text.prefix(10)))
    else { return }
    throw ValueFault("“\(text.prefix(10))” is not a day of the calendar.")
  }

  /// The expected input, for sentences.
  private var wanted: String {
    switch attribute.type {
    case .boolean: "true or false"
    case .float, .double: "a number such as \(marked("3.5"))"
    case .decimal: "a decimal number such as \(marked("19.99"))"
    case .date: "a date such as 2024-02-29 or 2024-02-29 13:05:00, in UTC"
    case .calendarDate: "a date such as 2024-02-29"
    case .uuid: "a UUID such as 123E4567-E89B-12D3-A456-426614174000"
    case .url: "a URL such as https://example.org"
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64:
      "a whole number such as 42"
    case .string, .data, .coded, .undefined: "a value"
    }
  }

  private func refuse(_ text: String, _ kind: String) -> ValueFault {
    let shown = text.count > 40 ? text.prefix(40) + "…" : text[...]
    return ValueFault("“\(shown)” is not a \(kind); \(attribute.name) takes \(wanted).")
  }

  private func integer(_ text: String) throws(ValueFault) -> Value {
    if attribute.type == .unsigned64, let number = UInt64(text) {
      return .integer(Int64(bitPattern: number))
    }
    guard let number = Int64(text) else {
      let isNumber = text.wholeMatch(of: /[+-]?[0-9]+/) != nil
      if isNumber, let range { throw outside(text, range) }
      throw refuse(text, "whole number")
    }
    guard let range else { return .integer(number) }
    guard range.contains(number), attribute.type != .unsigned64 else { throw outside(text, range) }
    return .integer(number)
  }

  private func outside(_ text: String, _ range: ClosedRange<Int64>) -> ValueFault {
    let upper = attribute.type == .unsigned64 ? String(UInt64.max) : String(range.upperBound)
    return ValueFault(
      "\(text) is outside of what \(attribute.name) can hold: \(range.lowerBound) to \(upper).")
  }

  private var range: ClosedRange<Int64>? { attribute.type.wholeNumbers }

  private func real(_ text: String) throws(ValueFault) -> Value {
    // Swift also parses words such as "nan" and hexadecimal digits, which people do not mean as numbers.
    guard text.wholeMatch(of: Self.number) != nil, let number = Double(text) else {
      throw refuse(text, "number")
    }
    guard number.isFinite, attribute.type == .double || Float(number).isFinite else {
      throw ValueFault("\(text) is too large for \(attribute.name).")
    }
    return .real(attribute.type == .float ? Double(Float(number)) : number)
  }

  private static var number: Regex<(Substring, Substring, Substring?)> {
    /[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?/
  }

  private func decimal(_ text: String) throws(ValueFault) -> Value {
    guard let value = Value(decimalFrom: .text(text)) else { throw refuse(text, "decimal number") }
    return value
  }

  private func boolean(_ text: String) throws(ValueFault) -> Value {
    switch text.lowercased() {
    case "true", "yes", "1", "t", "y": return .integer(1)
    case "false", "no", "0", "f", "n": return .integer(0)
    default: throw refuse(text, "boolean")
    }
  }

  /// A date in a column of a third-party file: written in the form of the value to be replaced, or else in
  /// the form of the column. Whole numbers are taken as the stored value.
  private func storedDate(
    _ text: String, _ convention: DateConvention, replacing old: Value
  ) throws(ValueFault) -> Value {
    let text = text.trimmingCharacters(in: .whitespaces)
    if let moment = Moment(text) {
      if let value = convention.value(of: moment, replacing: old) { return value }
      throw ValueFault(
        "\(attribute.name) holds \(convention.title), which cannot represent “\(text)”.")
    }
    if !convention.isText {
      if let integer = Int64(text) { return .integer(integer) }
      if text.wholeMatch(of: Self.number) != nil, let real = Double(text), real.isFinite {
        return .real(real)
      }
    }
    let shown = text.count > 40 ? text.prefix(40) + "…" : text[...]
    throw ValueFault(
      "“\(shown)” is not a date; \(attribute.name) takes a date such as 2024-02-29 or 2024-02-29 "
        + "13:05:00\(convention.isText ? "" : ", in UTC").")
  }

  private func date(_ text: String) throws(ValueFault) -> Value {
    if let seconds = ISODate.parse(text) { return .real(seconds) }
    // Dates beyond every calendar are typed as the stored number.
    if text.wholeMatch(of: Self.number) != nil, let seconds = Double(text), seconds.isFinite,
      ISODate.format(seconds) == nil
    {
      return .real(seconds)
    }
    throw refuse(text, "date")
  }

  private func day(_ text: String) throws(ValueFault) -> Value {
    guard ISODate.isDay(text) else {
      throw refuse(text, "date without a time")
    }
    return .text(text)
  }

  private func uuid(_ text: String) throws(ValueFault) -> Value {
    guard let uuid = UUID(uuidString: text) else { throw refuse(text, "UUID") }
    return .blob(uuid.bytes)
  }

  private func url(_ text: String) throws(ValueFault) -> Value {
    let isURL = !text.isEmpty && !text.contains(where: \.isWhitespace) && URL(string: text) != nil
    guard isURL else { throw refuse(text, "URL") }
    return .text(text)
  }

  /// Columns without a type accept any value; numeric ones accept numbers, and text only in place of text.
  /// <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>
  private func untyped(_ text: String, replacing old: Value) throws(ValueFault) -> Value {
    if case .text = old { return .text(text) }
    if case .blob = old { return .text(text) }
    if let integer = Int64(text) { return .integer(integer) }
    if text.wholeMatch(of: Self.number) != nil, let number = Double(text), number.isFinite {
      return .real(number)
    }
    try requirePossible(text)
    if takesDates, ISODate.parse(text) != nil { return .text(text) }
    guard (attribute.declaredType ?? "").isEmpty || attribute.declaredType == "ANY" else {
      throw ValueFault(
        "“\(text)” is not a number; \(attribute.name) is declared \(attribute.declaredType ?? "").")
    }
    return .text(text)
  }

  /// The text with the date some days later; nil if it does not begin with a date.
  func text(_ text: String, daysLater days: Int) -> String? {
    guard takesDates, let day = ISODate.parse(String(text.prefix(10))),
      let later = ISODate.format(day + Double(days) * 86_400)
    else { return nil }
    return String(later.prefix(10)) + text.dropFirst(10)
  }
}

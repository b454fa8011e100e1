import DatastoreCore
import Foundation
import TerminalUI

/// The format of one attribute's values.
struct ValueFormat: Hashable, Sendable {
  let type: AttributeType
  /// How a column of a third-party file stores dates.
  let dates: DateConvention?
  private let names: CaseNames
  /// The declaration of a third-party file's column, whose values may be of any kind.
  private let declared: Declared

  private enum Declared: Hashable, Sendable { case nothing, number, uuid, date }

  init(type: AttributeType) {
    self.type = type
    dates = nil
    names = CaseNames()
    declared = .nothing
  }

  init(_ attribute: AttributeDescription) {
    type = attribute.type
    dates = attribute.dateConvention
    names = CaseNames(attribute)
    let words = attribute.declaredType?.uppercased() ?? ""
    declared =
      ["UUID", "GUID"].contains(where: words.contains)
      ? .uuid
      : ["DEC", "NUM", "MONEY"].contains(where: words.contains) && type == .undefined
        ? .number : words == "DATE" ? .date : .nothing
  }

  /// Whether a column of these values is right-aligned, header included.
  var isTrailing: Bool { isNumeric || declared == .number }

  /// Whether the values are numbers that are amounts.
  var isNumeric: Bool { type.isNumeric && names.isEmpty && dates == nil }

  /// Whether the values are dates, however they are stored.
  var isDate: Bool { type == .date || dates != nil }

  /// Whether the values are days without a time, stored as texts.
  var holdsDays: Bool { type == .calendarDate || dates == .text(.day) }

  /// Whether the values are dates stored as numbers.
  var isDateOfNumbers: Bool { type == .date || dates.map { !$0.isText } ?? false }

  /// The name of a value's case as a text; other values are unchanged.
  func named(_ value: Value) -> Value { names.name(of: value).map { .text($0) } ?? value }

  /// The file's word for the type, if it says more than the type.
  var declaredName: String? {
    switch declared {
    case .nothing: names.isEmpty ? nil : "TEXT"
    case .number: "NUMERIC"
    case .uuid: "UUID"
    case .date: "DATE"
    }
  }

  /// The cell for a value: one line of text.
  func cell(_ value: Value) -> CellContent {
    content(value, limit: CellContent.limit)
  }

  /// A value with at most `limit` characters.
  func content(_ value: Value, limit: Int) -> CellContent {
    switch value {
    case .null: CellContent("", role: .null, isTrailing: isTrailing, kind: .null)
    case .integer(let integer): content(integer)
    case .real(let real): content(real)
    case .text(let text): content(text, limit: limit)
    case .blob(let data): content(data)
    }
  }

  /// The stored number of a value that is shown as a date.
  func storedText(of value: Value) -> String? {
    guard isDateOfNumbers, content(value, limit: CellContent.limit).role == .date else {
      return nil
    }
    return ValueFormat(type: .undefined).cell(value).text
  }

  /// A number that is computed from the column, such as a mean, as a date; nil if there is none.
  func date(near number: Double) -> String? {
    (type == .date ? .own : dates)?.moment(near: number)?.description
  }

  /// A value in a column of dates that is no date.
  private func misfit(_ text: String) -> CellContent {
    CellContent("\(text) (no date)", role: .warning)
  }

  private func content(_ integer: Int64) -> CellContent {
    if let dates {
      return dates.moment(of: .integer(integer)).map {
        CellContent($0.description, role: .date)
      } ?? misfit(String(integer))
    }
    if let name = names[integer] { return CellContent(name, role: .string) }
    return switch type {
    case .boolean where integer == 0 || integer == 1:
      CellContent(integer == 1 ? "true" : "false", role: .boolean)
    case .date:
      CellContent(
        DateConvention.own.moment(of: .integer(integer))?.description ?? String(integer),
        role: .date)
    default: CellContent(String(integer), role: .number, isTrailing: isNumberTrailing)
    }
  }

  private func content(_ real: Double) -> CellContent {
    if let dates {
      return dates.moment(of: .real(real)).map { CellContent($0.description, role: .date) }
        ?? misfit(String(real))
    }
    // Clocks and programs work in milliseconds; further digits are the noise of doubles.
    if type == .date, let date = DateConvention.own.moment(near: real) {
      return CellContent(date.description, role: .date)
    }
    return CellContent(type.digits(of: real), role: .number, isTrailing: isNumberTrailing)
  }

  private func content(_ text: String, limit: Int) -> CellContent {
    if text.isEmpty { return CellContent("", role: .dim, kind: .emptyText) }
    if isDay(text) { return CellContent(text, role: .date) }
    if let dates {
      if dates.moment(of: .text(text)) != nil { return CellContent(text, role: .date) }
      return misfit(String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit))))
    }
    let isNumber = type == .decimal
    // JSON on many lines says more in one line.
    let text =
      JSONText.mayBe(text) && text.utf8.count <= 4 * limit
      ? JSONText.compact(text) ?? text : text
    let cut =
      text.utf8.count <= limit
      ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    return CellContent(cut, role: isNumber ? .number : .string, isTrailing: isNumber)
  }

  /// Whether a text is a date without a time, in a column of such dates.
  private func isDay(_ text: String) -> Bool {
    (type == .calendarDate || declared == .date) && text.utf8.count == 10
      && ISODate.parse(text) != nil
  }

  private func content(_ data: Data) -> CellContent {
    if type == .uuid || declared == .uuid, let uuid = UUID(bytes: data) {
      return CellContent(uuid.uuidString, role: .string)
    }
    return CellContent(BlobText(data).description, role: .blob)
  }

  /// Numbers in columns without a type are right-aligned too, so that they can be compared.
  private var isNumberTrailing: Bool { isTrailing || type == .undefined }
}

import DatastoreCore
import Foundation
import TerminalUI

/// How the values of one attribute are shown.
struct ValueFormat: Hashable, Sendable {
  let type: AttributeType
  /// How a column of another program's file stores dates.
  let dates: DateConvention?
  private let names: CaseNames
  /// What the third-party file says about a column whose values may be of any kind.
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

  /// Whether a column of such values is right-aligned, header included.
  var isTrailing: Bool { isNumeric || declared == .number }

  /// Whether values are numbers that mean amounts.
  var isNumeric: Bool { type.isNumeric && names.isEmpty && dates == nil }

  /// Whether values are dates, stored in whatever way.
  var isDate: Bool { type == .date || dates != nil }

  /// Whether values are dates that are stored as numbers.
  var isDateOfNumbers: Bool { type == .date || dates.map { !$0.isText } ?? false }

  /// The name of the case of a value, as a text; other values as they are.
  func named(_ value: Value) -> Value { names.name(of: value).map { .text($0) } ?? value }

  /// The word for its values that the file says, where that says more than the type.
  var declaredName: String? {
    switch declared {
    case .nothing: names.isEmpty ? nil : "TEXT"
    case .number: "NUMERIC"
    case .uuid: "UUID"
    case .date: "DATE"
    }
  }

  /// A value in one line, for a cell of the table.
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

  /// The number that is stored, where a date is shown of it.
  func storedText(of value: Value) -> String? {
    guard isDateOfNumbers, content(value, limit: CellContent.limit).role == .date else {
      return nil
    }
    return ValueFormat(type: .undefined).cell(value).text
  }

  /// A number that need not be one of the column, such as a mean, as a date; nil where there is none.
  func date(near number: Double) -> String? {
    (type == .date ? .own : dates)?.moment(near: number)?.description
  }

  /// A value of a column of dates that is none.
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
    // Milliseconds are what clocks and programs mean; more digits are the noise of doubles.
    if type == .date, let date = DateConvention.own.moment(near: real) {
      return CellContent(date.description, role: .date)
    }
    // Swift prints the shortest text that reads back as the same number.
    return CellContent(String(real), role: .number, isTrailing: isNumberTrailing)
  }

  private func content(_ text: String, limit: Int) -> CellContent {
    if text.isEmpty { return CellContent("", role: .dim, kind: .emptyText) }
    if isDay(text) { return CellContent(text, role: .date) }
    if let dates {
      if dates.moment(of: .text(text)) != nil { return CellContent(text, role: .date) }
      return misfit(String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit))))
    }
    let isNumber = type == .decimal
    // JSON that was written on many lines says more on one.
    let text =
      JSONText.mayBe(text) && text.utf8.count <= 4 * limit
      ? JSONText.compact(text) ?? text : text
    let cut =
      text.utf8.count <= limit
      ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    return CellContent(cut, role: isNumber ? .number : .string, isTrailing: isNumber)
  }

  /// Whether a text is a date without a time, in a column that has such.
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

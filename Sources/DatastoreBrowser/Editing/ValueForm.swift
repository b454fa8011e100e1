import Basics
import DatastoreCore
import DatastoreImport
import Foundation

/// The typed form of an attribute's values: whole and exact, unlike in the table.
struct ValueForm: Hashable, Sendable {
  let attribute: AttributeDescription
  /// How numbers are written, beside Swift's form.
  let decimalMark: DecimalMark

  /// - Parameter decimalMark: the mark in the file of the rows.
  init(_ attribute: AttributeDescription, decimalMark: DecimalMark = .point) {
    self.attribute = attribute
    self.decimalMark = decimalMark
  }

  private var type: AttributeType { attribute.type }
  /// How a column of a third-party file stores dates.
  private var dates: DateConvention? { attribute.dateConvention }

  /// The text of a value, which parses back to the same value. Empty for NULL.
  func text(of value: Value) -> String {
    if let dates, !dates.isText, let moment = dates.moment(of: value) { return moment.description }
    switch value {
    case .null: return ""
    case .integer(let integer):
      switch type {
      case .unsigned64: return String(UInt64(bitPattern: integer))
      case .boolean where integer == 0 || integer == 1: return integer == 1 ? "true" : "false"
      case .date: return Self.dateText(Double(integer)) ?? String(integer)
      default: return String(integer)
      }
    case .real(let real):
      // Swift prints the shortest text that parses back to the same number.
      return type == .date ? Self.dateText(real) ?? String(real) : marked(String(real))
    case .text(let text): return type == .decimal ? marked(text) : text
    case .blob(let data):
      if type == .uuid, let uuid = UUID(bytes: data) { return uuid.uuidString }
      return String(decoding: data, as: UTF8.self)
    }
  }

  /// A number as the file writes it.
  func marked(_ number: String) -> String {
    guard decimalMark == .comma, type.isNumeric else { return number }
    return Quoting.substituting(".", with: ",", in: number)
  }

  private static func dateText(_ seconds: Double) -> String? {
    ISODate.format(seconds).map { text in
      // In the table's form, which is easier to type over.
      var text = Quoting.substituting("T", with: " ", in: text)
      if text.hasSuffix("Z") { text.removeLast() }
      return text
    }
  }

  /// Whether the value can be typed in a line: bytes cannot.
  func isTypeable(_ value: Value) -> Bool {
    if case .blob(let data) = value { return type == .uuid && data.count == 16 }
    return !(value.isNull && (type == .data || type == .coded))
  }

  /// Whether dates are typed as ISO text, also in columns of third-party files that are declared for dates.
  var takesDates: Bool {
    let declared = attribute.declaredType?.uppercased() ?? ""
    return type == .date || type == .calendarDate || attribute.dateConvention != nil
      || (type == .string || type == .undefined)
        && (declared.contains("DATE") || declared.contains("TIME"))
  }
}

/// Why a text is not a value of an attribute, as a sentence.
struct ValueFault: Error, Hashable, Sendable {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

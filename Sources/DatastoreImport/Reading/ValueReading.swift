import DatastoreCore
import Foundation

/// How the texts of a column are read as values. The rules by which types are inferred
/// (`ColumnTypeInference`) also apply when values are stored (`ImportValue.converted(to:)`), so that an
/// inferred type takes every value that it was inferred from.
package struct ValueReading: Hashable, Sendable {
  var decimalMark = DecimalMark.point
  /// nil if the order of days and months is not known.
  var dates: DateOrder?
  var marks = MissingMarks.usual
  /// Whether to infer types that restore texts as they are in the file.
  var keepsText = false
  /// Whether `inf`, and numbers with more digits than a Double keeps, are numbers.
  var takesEveryNumber = false

  package init(
    decimalMark: DecimalMark = .point, dates: DateOrder? = nil, marks: MissingMarks = .usual,
    keepsText: Bool = false, takesEveryNumber: Bool = false
  ) {
    self.decimalMark = decimalMark
    self.dates = dates
    self.marks = marks
    self.keepsText = keepsText
    self.takesEveryNumber = takesEveryNumber
  }

  /// A day or moment in ISO 8601.
  func isoDate(_ text: String) -> String? {
    // Nearly all are in ISO 8601 already, and other texts end here by their first byte.
    guard let first = text.utf8.first, Byte.isDigit(first) else { return nil }
    return ISODate.parse(text) != nil ? text : TableDate.iso(text, dates)
  }

  /// The infinite number that a text means, in a file in which it can be nothing else.
  func infinity(_ text: String) -> Double? {
    switch text {
    case "inf" where takesEveryNumber: return Double.infinity
    case "-inf" where takesEveryNumber: return -Double.infinity
    default: return nil
    }
  }

  /// Whether a decimal keeps the digits of a number: 38.
  static func fitsDecimal(_ number: String) -> Bool {
    let mantissa = number.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    return mantissa.filter(Byte.isDigit).drop { $0 == Byte.zero }.count <= 38
  }

  static func boolean(_ text: String) -> Bool? {
    switch text.utf8.count {
    case 4 where text.lowercased() == "true": true
    case 5 where text.lowercased() == "false": false
    default: nil
    }
  }

  static func uuid(_ text: String) -> UUID? {
    text.utf8.count == 36 ? UUID(uuidString: text) : nil
  }

  /// A URL whose text is kept unchanged.
  static func url(_ text: String) -> URL? {
    guard !text.isEmpty, let url = URL(string: text, encodingInvalidCharacters: false),
      url.absoluteString == text
    else { return nil }
    return url
  }
}

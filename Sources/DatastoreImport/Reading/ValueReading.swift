import DatastoreCore
import Foundation

/// How the texts of a column are read as values. What types are found by (`ColumnTypeInference`) is
/// read by the same rules when it is stored (`ImportValue.converted(to:)`), so that a type which was
/// found takes every value that it was found from.
package struct ValueReading: Hashable, Sendable {
  var decimalMark = DecimalMark.point
  /// nil where the order of days and months is not known.
  var dates: DateOrder?
  var marks = MissingMarks.usual
  /// Whether types are found that give texts back as they are in the file.
  var keepsText = false

  package init(
    decimalMark: DecimalMark = .point, dates: DateOrder? = nil, marks: MissingMarks = .usual,
    keepsText: Bool = false
  ) {
    self.decimalMark = decimalMark
    self.dates = dates
    self.marks = marks
    self.keepsText = keepsText
  }

  /// A day or moment, as ISO 8601 writes it.
  func isoDate(_ text: String) -> String? {
    // Nearly all are ISO 8601 as they are, and other texts end here by their first byte.
    guard let first = text.utf8.first, Byte.isDigit(first) else { return nil }
    return ISODate.parse(text) != nil ? text : TableDate.iso(text, dates)
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

  /// A URL whose text is kept as it is.
  static func url(_ text: String) -> URL? {
    guard !text.isEmpty, let url = URL(string: text, encodingInvalidCharacters: false),
      url.absoluteString == text
    else { return nil }
    return url
  }
}

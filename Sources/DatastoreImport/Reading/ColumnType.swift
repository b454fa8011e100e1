/// The attribute types that a manifest can name.
package enum ColumnType: String, CaseIterable, Codable, Sendable {
  case string
  case integer
  case double
  case decimal
  case boolean
  /// Days, or moments if one of the values has a time.
  case date
  /// A date without a time.
  case day
  /// Bytes, as Base64 text.
  case data
  case uuid
  case url

  package var isNumeric: Bool { self == .integer || self == .double || self == .decimal }

  /// The name for users: a date is one without a time unless stated otherwise.
  package var title: String {
    switch self {
    case .day: "date"
    case .date: "date+time"
    default: rawValue
    }
  }
}

/// The attribute types that a manifest can name.
package enum ColumnType: String, CaseIterable, Codable, Sendable {
  case string
  case integer
  case double
  case decimal
  case boolean
  case date
  /// Bytes, as Base64 text.
  case data
  case uuid
  case url
}

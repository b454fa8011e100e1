import DatastoreCore
import Foundation

/// The form of rows in golden texts; `SQLLayout` has that of statements.
enum GoldenText {
  /// Values as the sqlite3 program lists them; blobs as `hex()` gives them.
  static func row(_ values: [Value]) -> String {
    values.map { value in
      switch value {
      case .null: "NULL"
      case .integer(let integer): String(integer)
      case .real(let real): String(real)
      case .text(let text): text
      case .blob(let data): data.map { String(format: "%02X", $0) }.joined()
      }
    }.joined(separator: "|")
  }
}

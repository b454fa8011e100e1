import Foundation

extension Value: CustomStringConvertible {
  /// The value for a person: text in quotes, NULL as `NULL`, blobs as their size.
  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): "“\(text)”"
    case .blob(let data): "\(data.count) bytes"
    }
  }
}

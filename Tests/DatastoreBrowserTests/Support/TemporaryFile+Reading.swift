import Foundation
import GRDB

extension TemporaryFile {
  /// The values that a query finds now, on a connection of its own, as SQLite's `quote()` writes them.
  func values(_ sql: String) throws -> [String] { try Self.values(of: url, sql) }

  /// The same of another file.
  static func values(of url: URL, _ sql: String) throws -> [String] {
    let queue = try DatabaseQueue(path: url.path)
    let found = try queue.read { try String.fetchAll($0, sql: sql) }
    try queue.close()
    return found
  }

  /// One value, as `quote()` writes it.
  func value(_ expression: String, from table: String, id: Int) throws -> String? {
    try values("SELECT quote(\(expression)) FROM \(table) WHERE id = \(id)").first
  }
}

import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB

/// The rows of `_datastore`, by which a file of ours explains itself: a key and a text each.
enum FileMetadata {
  static func value(_ key: String, in database: Database) throws -> String? {
    let statement = try RawStatement(
      "SELECT value FROM _datastore WHERE key = \(.text(key))", in: database)
    defer { statement.reset() }
    guard try statement.step(), case .text(let text) = statement.value(at: 0) else { return nil }
    return text
  }

  static func setValue(_ value: String, for key: String, in database: Database) throws {
    try RawStatement(
      "INSERT OR REPLACE INTO _datastore (key, value) VALUES (\(.text(key)), \(.text(value)))",
      in: database
    ).run()
  }

  /// What the file says of its entities; nil where it does not, or in a form that is not known.
  static func descriptions(in database: Database) throws -> [EntityDescription]? {
    guard let json = try value("schema", in: database) else { return nil }
    return try? JSONDecoder().decode([EntityDescription].self, from: Data(json.utf8))
  }
}

import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB

/// The rows of `_datastore`, by which a file of ours explains itself: a key and a text each.
///
/// | key | value |
/// |---|---|
/// | `format` | the form of these rows, and of tables |
/// | `uuid` | of the store |
/// | `created_by` | the program that made the file |
/// | `version` | the name of the version of the model; absent where it has none |
/// | `schema` | the entities, as JSON with sorted keys: what counts |
/// | `joint:<uuid>` | the last save that was committed here and in that store, a number and a name (see `MultiStoreCommit`) |
/// | `hash:<entity>`, `rules:<entity>` | fingerprints of an entity, for other tools (see `EntityHash`) |
enum FileMetadata {
  static let table = "_datastore"
  static let jointSavePrefix = "joint:"

  /// The form of the rows that this version writes. Format 1 had one hash for each entity, of all that the model
  /// says, and tables without defaults.
  static let format = "2"
  /// The forms that it reads.
  static let knownFormats: Set = ["1", format]
  /// `PRAGMA application_id` of our files, by which `file` and others know them: "SDst".
  static let applicationID = 0x5344_7374

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

  /// Writes what the file says of its entities, in today's form.
  ///
  /// Who has the file open hears of it, where an entity that was there stores something else now: `PRAGMA
  /// schema_version` is raised also where no table was changed, as for an integer that may be wider.
  static func describe(
    _ descriptions: [EntityDescription], version: String?, in database: Database
  ) throws {
    let hashes = EntityHash.all(descriptions)
    let former = EntityHash.all(try self.descriptions(in: database) ?? [])
    if former.contains(where: { hashes[$0.key]?.tables != $0.value.tables }) {
      try RawStatement("CREATE TABLE _datastore_changed (x)", in: database).run()
      try RawStatement("DROP TABLE _datastore_changed", in: database).run()
    }
    try setValue(format, for: "format", in: database)
    if let version {
      try setValue(version, for: "version", in: database)
    } else {
      try RawStatement("DELETE FROM _datastore WHERE key = 'version'", in: database).run()
    }
    try setValue(json(descriptions), for: "schema", in: database)
    try RawStatement(
      "DELETE FROM _datastore WHERE key LIKE 'hash:%' OR key LIKE 'rules:%'", in: database
    ).run()
    for (name, hash) in hashes {
      try setValue(hash.tables.digits, for: "hash:\(name)", in: database)
      try setValue(hash.rules.digits, for: "rules:\(name)", in: database)
    }
    try RawStatement("PRAGMA application_id = \(number: applicationID)", in: database).run()
  }

  /// Whether the file says in today's form that it has just these entities.
  static func describes(
    _ descriptions: [EntityDescription], version: String?, in database: Database
  ) throws -> Bool {
    try value("format", in: database) == format && value("version", in: database) == version
      && value("schema", in: database) == json(descriptions)
  }

  private static func json(_ descriptions: [EntityDescription]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(descriptions), as: UTF8.self)
  }

  /// What the file says of its entities; nil where it does not, or in a form that is not known.
  static func descriptions(in database: Database) throws -> [EntityDescription]? {
    guard let json = try value("schema", in: database) else { return nil }
    return try? JSONDecoder().decode([EntityDescription].self, from: Data(json.utf8))
  }
}

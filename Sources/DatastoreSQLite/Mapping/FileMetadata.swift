import DatastoreCore
import DatastoreSQL
import GRDB

/// The rows of `_datastore` in a file: see `StoreDescription`, and
///
/// | key | value |
/// |---|---|
/// | `joint:<uuid>` | the last save that was committed here and in that store, a number and a name (see `MultiStoreCommit`) |
enum FileMetadata {
  static let commitPrefix = "joint:"

  /// The formats that can be read. Format 1 had one hash for each entity, of all declarations of the model,
  /// and tables without defaults.
  static let knownFormats: Set = ["1", StoreDescription.format]
  /// The `PRAGMA application_id` of native files, by which `file` and others recognise them: "SDst".
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

  /// Writes the file's description of its entities, in the present format.
  ///
  /// Other processes with the file open notice it if an existing entity's storage changes:
  /// `PRAGMA schema_version` is raised even if no table was changed, as for an integer that may be wider.
  static func describe(
    _ descriptions: [EntityDescription], version: String?, in database: Database
  ) throws {
    let hashes = EntityHash.all(descriptions)
    let former = EntityHash.all(try self.descriptions(in: database) ?? [])
    if former.contains(where: { hashes[$0.key]?.tables != $0.value.tables }) {
      try RawStatement("CREATE TABLE _datastore_changed (x)", in: database).run()
      try RawStatement("DROP TABLE _datastore_changed", in: database).run()
    }
    try RawStatement(StoreDescription.removal, in: database).run()
    for (key, value) in try StoreDescription.rows(describing: descriptions, version: version) {
      try setValue(value, for: key, in: database)
    }
    try RawStatement("PRAGMA application_id = \(number: applicationID)", in: database).run()
  }

  /// Whether the file describes exactly these entities, in the present format.
  static func describes(
    _ descriptions: [EntityDescription], version: String?, in database: Database
  ) throws -> Bool {
    try value("format", in: database) == StoreDescription.format
      && value("version", in: database) == version
      && value("schema", in: database) == StoreDescription.json(descriptions)
  }

  /// The file's description of its entities; nil if there is none, or its format is not known.
  static func descriptions(in database: Database) throws -> [EntityDescription]? {
    try value("schema", in: database).flatMap(StoreDescription.descriptions)
  }
}

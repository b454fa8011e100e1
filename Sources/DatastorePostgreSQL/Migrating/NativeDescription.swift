#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Foundation

/// What a store of ours says of itself, in the rows of its table `_datastore`: as in files (see `FileMetadata`), and
/// `engine`.
struct NativeDescription {
  /// The form of these rows, and of tables.
  static let format = "2"

  private let rows: [String: String]

  /// - Parameter rows: keys with what they say.
  init(_ rows: [[String]]) {
    self.rows = Dictionary(
      rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
  }

  /// Reads them in the schema that unqualified names are looked for in.
  static let query: SQLFragment =
    "SELECT \(name: "key"), \(name: "value") FROM \(name: "_datastore")"

  /// - Throws: `StoreError` for a form that is not known.
  func requireFormat(place: String) throws {
    guard rows["format"] == Self.format else {
      throw StoreError.unknownFormat(path: place, version: rows["format"] ?? "none")
    }
  }

  /// The schema that the store says it has.
  ///
  /// - Throws: `StoreError` where it says none.
  func schema(place: String) throws -> Schema {
    let descriptions = rows["schema"].flatMap {
      try? JSONDecoder().decode([EntityDescription].self, from: Data($0.utf8))
    }
    guard let descriptions, let schema = try? Schema(descriptions, version: rows["version"]) else {
      throw StoreError.malformed(path: place, detail: "its table _datastore cannot be read")
    }
    return schema
  }

  /// Whether the store says just what a model does.
  func describes(_ schema: Schema) throws -> Bool {
    try rows["version"] == schema.version && rows["schema"] == Self.json(schema)
  }

  /// In what its tables are not those of a model, a sentence each.
  func differences(from schema: Schema) -> [String] {
    let hashes = EntityHash.all(schema.entities.map(\.description))
    var differences: [String] = []
    for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) {
      switch rows["hash:\(name)"] {
      case hash.tables.digits: continue
      case nil: differences.append("\(name) is not there")
      default: differences.append("\(name) is stored otherwise")
      }
    }
    for key in rows.keys.sorted() where key.hasPrefix("hash:") {
      let name = String(key.dropFirst("hash:".count))
      if hashes[name] == nil { differences.append("\(name) is there, and the model has none") }
    }
    return differences
  }

  /// All migrations, oldest first.
  var history: [MigrationRecord] {
    rows.filter { $0.key.hasPrefix("history:") }.sorted { $0.key < $1.key }.compactMap {
      // What a later version of this library wrote may be more than is known here.
      try? JSONDecoder().decode(MigrationRecord.self, from: Data($0.value.utf8))
    }
  }

  /// The rows of a new store.
  static func statements(
    ofNew schema: Schema, _ dialect: PostgreSQLDialect
  ) throws -> [SQLFragment] {
    let rows = [
      ("format", format), ("engine", "PostgreSQL"), ("uuid", UUID().uuidString),
      ("created_by", "SwiftDatastore"), ("capabilities", dialect.capabilities.text),
    ]
    return rows.map(insert) + (try statements(describing: schema))
      + statements(describing: dialect.distribution.present(in: schema))
  }

  /// Says by what the tables are distributed.
  static func statements(describing distribution: Distribution) -> [SQLFragment] {
    let deletion: SQLFragment = """
      DELETE FROM \(name: "_datastore") WHERE \(name: "key") = \(literal: Distribution.key)
      """
    return distribution.isEmpty
      ? [deletion] : [deletion, insert(Distribution.key, distribution.text)]
  }

  /// Says that the tables are those of a model.
  static func statements(describing schema: Schema) throws -> [SQLFragment] {
    var rows = [("schema", try json(schema))]
    if let version = schema.version { rows.append(("version", version)) }
    for (name, hash) in EntityHash.all(schema.entities.map(\.description)).sorted(by: {
      $0.key < $1.key
    }) {
      rows.append(("hash:\(name)", hash.tables.digits))
      rows.append(("rules:\(name)", hash.rules.digits))
    }
    let deletion: SQLFragment = """
      DELETE FROM \(name: "_datastore") WHERE \(name: "key") IN ('schema', 'version') \
      OR \(name: "key") LIKE 'hash:%' OR \(name: "key") LIKE 'rules:%'
      """
    return [deletion] + rows.map(insert)
  }

  /// Adds to the history.
  func statement(adding record: MigrationRecord) throws -> SQLFragment {
    let number = String(rows.keys.count { $0.hasPrefix("history:") } + 1)
    let digits = String(repeating: "0", count: max(0, 4 - number.count)) + number
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Self.insert(
      "history:\(digits)", String(decoding: try encoder.encode(record), as: UTF8.self))
  }

  private static func insert(_ key: String, _ value: String) -> SQLFragment {
    """
    INSERT INTO \(name: "_datastore") (\(name: "key"), \(name: "value")) \
    VALUES (\(.text(key)), \(.text(value)))
    """
  }

  private static func json(_ schema: Schema) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(
      decoding: try encoder.encode(schema.entities.map(\.description)), as: UTF8.self)
  }
}
#endif

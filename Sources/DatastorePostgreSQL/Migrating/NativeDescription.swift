#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import Foundation

/// The rows of `_datastore` in a server: see `StoreDescription`, and `engine`, `capabilities`,
/// `distribution`.
struct NativeDescription {
  private let rows: [String: String]

  /// - Parameter rows: keys with their values.
  init(_ rows: [[String]]) {
    self.rows = Dictionary(
      rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
  }

  /// Reads them in the schema in which unqualified names are resolved.
  static let query: SQLFragment =
    "SELECT \(name: "key"), \(name: "value") FROM \(name: "_datastore")"

  /// - Throws: `StoreError` for an unknown format.
  func requireFormat(place: String) throws {
    guard rows["format"] == StoreDescription.format else {
      throw StoreError.unknownFormat(path: place, version: rows["format"] ?? "none")
    }
  }

  /// The schema that the store records.
  ///
  /// - Throws: `StoreError` if it records none.
  func schema(place: String) throws -> Schema {
    let descriptions = rows["schema"].flatMap(StoreDescription.descriptions)
    guard let descriptions, let schema = try? Schema(descriptions, version: rows["version"]) else {
      throw StoreError.malformed(path: place, detail: "its table _datastore cannot be read")
    }
    return schema
  }

  /// Whether the recorded schema is exactly that of a model.
  func describes(_ schema: Schema) throws -> Bool {
    try rows["version"] == schema.version
      && rows["schema"] == StoreDescription.json(schema.entities.map(\.description))
  }

  /// How its tables differ from those of a model, a sentence each.
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
    StoreDescription.records(
      rows.filter { $0.key.hasPrefix("history:") }.sorted { $0.key < $1.key }.map(\.value))
  }

  /// The rows of a new store.
  static func statements(
    ofNew schema: Schema, _ dialect: PostgreSQLDialect
  ) throws -> [SQLFragment] {
    let rows = [
      ("engine", "PostgreSQL"), ("uuid", UUID().uuidString), ("created_by", "SwiftDatastore"),
      ("capabilities", dialect.capabilities.text),
    ]
    return rows.map(insert) + (try statements(describing: schema))
      + statements(describing: dialect.distribution.present(in: schema))
  }

  /// Records by which properties the tables are distributed.
  static func statements(describing distribution: Distribution) -> [SQLFragment] {
    let deletion: SQLFragment = """
      DELETE FROM \(name: "_datastore") WHERE \(name: "key") = \(literal: Distribution.key)
      """
    return distribution.isEmpty
      ? [deletion] : [deletion, insert(Distribution.key, distribution.text)]
  }

  /// Records that the tables are those of a model.
  static func statements(describing schema: Schema) throws -> [SQLFragment] {
    let rows = try StoreDescription.rows(
      describing: schema.entities.map(\.description), version: schema.version)
    let removal: SQLFragment =
      "\(StoreDescription.removal) OR \(name: "key") IN ('format', 'schema')"
    return [removal] + rows.map { insert($0.key, $0.value) }
  }

  /// Adds to the history.
  func statement(adding record: MigrationRecord) throws -> SQLFragment {
    let row = try StoreDescription.row(
      of: record, after: rows.keys.count { $0.hasPrefix("history:") })
    return Self.insert(row.key, row.value)
  }

  private static func insert(_ key: String, _ value: String) -> SQLFragment {
    """
    INSERT INTO \(name: "_datastore") (\(name: "key"), \(name: "value")) \
    VALUES (\(.text(key)), \(.text(value)))
    """
  }
}
#endif

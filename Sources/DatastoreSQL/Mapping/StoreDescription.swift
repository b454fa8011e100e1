package import DatastoreCore
import Foundation

/// A native store's description of itself, in the rows of its table `_datastore`: a key and a text each.
///
/// | key | value |
/// |---|---|
/// | `format` | the form of these rows, and of tables |
/// | `uuid` | of the store |
/// | `created_by` | the program that made it |
/// | `version` | the name of the version of the model; absent where it has none |
/// | `schema` | the entities, as JSON with sorted keys: what counts |
/// | `history:0001` … | the migrations, oldest first |
/// | `hash:<entity>`, `rules:<entity>` | fingerprints of an entity, for other tools (see `EntityHash`) |
package enum StoreDescription {
  package static let table = "_datastore"
  /// The form of the rows that this version writes.
  package static let format = "2"

  package static func rows(
    describing descriptions: [EntityDescription], version: String?
  ) throws -> [(key: String, value: String)] {
    var rows = [(key: "format", value: format), ("schema", try json(descriptions))]
    if let version { rows.append(("version", version)) }
    for (name, hash) in EntityHash.all(descriptions).sorted(by: { $0.key < $1.key }) {
      rows.append(("hash:\(name)", hash.tables.digits))
      rows.append(("rules:\(name)", hash.rules.digits))
    }
    return rows
  }

  /// Removes the rows that are not overwritten when entities have changed.
  package static let removal: SQLFragment = """
    DELETE FROM \(name: table) WHERE \(name: "key") = 'version' \
    OR \(name: "key") LIKE 'hash:%' OR \(name: "key") LIKE 'rules:%'
    """

  package static func json(_ descriptions: [EntityDescription]) throws -> String {
    try text(descriptions)
  }

  /// The entities described by a row; nil if its form is not known.
  package static func descriptions(_ json: String) -> [EntityDescription]? {
    try? JSONDecoder().decode([EntityDescription].self, from: Data(json.utf8))
  }

  /// The row of a migration.
  ///
  /// - Parameter count: the number of earlier migrations.
  package static func row(
    of record: MigrationRecord, after count: Int
  ) throws -> (key: String, value: String) {
    let number = String(count + 1)
    let digits = String(repeating: "0", count: max(0, 4 - number.count)) + number
    return ("history:\(digits)", try text(record))
  }

  /// The migrations in rows, in their order. Leaves out records that a later version of this library wrote in
  /// an unknown form.
  package static func records(_ texts: [String]) -> [MigrationRecord] {
    texts.compactMap { try? JSONDecoder().decode(MigrationRecord.self, from: Data($0.utf8)) }
  }

  private static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

extension MigrationRecord {
  /// A migration that ends now.
  package init(
    from old: Schema, to new: Schema, passing passed: [Schema], rows: [String: Int],
    duration: Duration
  ) {
    self.init(
      from: old, to: new, passing: passed, date: Date().formatted(.iso8601),
      program: ProcessInfo.processInfo.processName,
      seconds: (duration / .milliseconds(1)).rounded() / 1000, rows: rows)
  }
}

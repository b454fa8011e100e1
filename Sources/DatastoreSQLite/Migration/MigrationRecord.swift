package import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB

/// One migration of a file, as the file remembers it: rows `history:0001` and so on of `_datastore`.
package struct MigrationRecord: Sendable, Codable, Hashable {
  /// When it was done: ISO 8601, UTC.
  package let date: String
  /// The program that did it.
  package let program: String
  package let seconds: Double
  /// By the name of a table: how many rows were written.
  package let rows: [String: Int]
  /// The names of the versions; nil without one.
  package let fromVersion: String?
  package let toVersion: String?
  /// By the name of an entity: the fingerprint of what its table was, and is.
  package let fromHashes: [String: String]?
  package let toHashes: [String: String]?
  /// The entities that the file had before.
  package let formerSchema: [EntityDescription]

  init(from old: Schema, to new: Schema, rows: [String: Int], duration: Duration) {
    fromVersion = old.version
    toVersion = new.version
    fromHashes = Self.hashes(old.entities.map(\.description))
    toHashes = Self.hashes(new.entities.map(\.description))
    date = Date().formatted(.iso8601)
    program = ProcessInfo.processInfo.processName
    let (seconds, attoseconds) = duration.components
    self.seconds = (Double(seconds) * 1000 + Double(attoseconds / 1_000_000_000_000_000)) / 1000
    self.rows = rows
    formerSchema = old.entities.map(\.description)
  }

  private static func hashes(_ descriptions: [EntityDescription]) -> [String: String] {
    EntityHash.all(descriptions).mapValues(\.tables.digits)
  }

  /// Whether the file was of such a version before.
  func comesFrom(_ schema: Schema) -> Bool {
    fromVersion == schema.version
      && Self.hashes(formerSchema) == Self.hashes(schema.entities.map(\.description))
  }

  func write(to database: Database) throws {
    let count = try RawStatement(
      "SELECT count(*) FROM _datastore WHERE key LIKE 'history:%'", in: database
    ).firstInteger()
    let number = String(Int(count ?? 0) + 1)
    let digits = String(repeating: "0", count: max(0, 4 - number.count)) + number
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try FileMetadata.setValue(
      String(decoding: try encoder.encode(self), as: UTF8.self), for: "history:\(digits)",
      in: database)
    // Seen by programs that know nothing of all that.
    try RawStatement("PRAGMA user_version = \(number: Int(count ?? 0) + 1)", in: database).run()
  }

  /// All migrations of a file, oldest first.
  static func all(in database: Database) throws -> [MigrationRecord] {
    let list = try RawStatement(
      "SELECT value FROM _datastore WHERE key LIKE 'history:%' ORDER BY key", in: database)
    var records: [MigrationRecord] = []
    while try list.step() {
      let json = Data(list.value(at: 0).plainText.utf8)
      // What a later version of this library wrote may be more than is known here.
      if let record = try? JSONDecoder().decode(MigrationRecord.self, from: json) {
        records.append(record)
      }
    }
    return records
  }
}

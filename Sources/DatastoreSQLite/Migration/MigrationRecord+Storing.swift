package import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB

/// Rows `history:0001` and so on of `_datastore`.
extension MigrationRecord {
  init(
    from old: Schema, to new: Schema, passing passed: [Schema], rows: [String: Int],
    duration: Duration
  ) {
    let (seconds, attoseconds) = duration.components
    self.init(
      from: old, to: new, passing: passed, date: Date().formatted(.iso8601),
      program: ProcessInfo.processInfo.processName,
      seconds: (Double(seconds) * 1000 + Double(attoseconds / 1_000_000_000_000_000)) / 1000,
      rows: rows)
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

extension SQLiteStore {
  package func migrationHistory() throws -> [MigrationRecord] {
    guard mapping.isNative else { return [] }
    return try read { try MigrationRecord.all(in: $0) }
  }
}

import Basics

/// One migration of a store, as recorded in the store.
public struct MigrationRecord: Sendable, Codable, Hashable {
  /// The time of the migration: ISO 8601, UTC.
  public let date: String
  /// The migrating program.
  public let program: String
  /// The duration.
  public let seconds: Double
  /// The number of rows written, by the name of a table.
  public let rows: [String: Int]
  /// The name of the version before; nil if it has none.
  public let fromVersion: String?
  /// The name of the version after; nil if it has none.
  public let toVersion: String?
  /// The fingerprint of each table before, by the name of its entity.
  public let fromHashes: [String: String]?
  /// The fingerprint of each table after, by the name of its entity.
  public let toHashes: [String: String]?
  /// The fingerprints of each version in between, by its name. The store has never been of these versions,
  /// and yet is newer than them. nil in the records of older programs.
  public let passedHashes: [String: [String: String]]?
  /// The entities of the store before.
  public let formerSchema: [EntityDescription]

  /// - Parameters:
  ///   - old: the entities before.
  ///   - new: the entities now.
  ///   - passed: the versions in between.
  package init(
    from old: Schema, to new: Schema, passing passed: [Schema], date: String, program: String,
    seconds: Double,
    rows: [String: Int]
  ) {
    self.date = date
    self.program = program
    self.seconds = seconds
    self.rows = rows
    fromVersion = old.version
    toVersion = new.version
    fromHashes = Self.hashes(old.entities.map(\.description))
    toHashes = Self.hashes(new.entities.map(\.description))
    passedHashes = Dictionary(
      passed.compactMap { schema in
        schema.version.map { ($0, Self.hashes(schema.entities.map(\.description))) }
      }, uniquingKeysWith: { _, last in last })
    formerSchema = old.entities.map(\.description)
  }

  private static func hashes(_ descriptions: [EntityDescription]) -> [String: String] {
    EntityHash.all(descriptions).mapValues(\.tables.digits)
  }

  /// Whether the store was of a version before, or has passed it.
  package func comesFrom(_ schema: Schema) -> Bool {
    let hashes = Self.hashes(schema.entities.map(\.description))
    if let version = schema.version, passedHashes?[version] == hashes { return true }
    return fromVersion == schema.version && Self.hashes(formerSchema) == hashes
  }
}

extension MigrationRecord: CustomStringConvertible {
  /// A line for people: `2026-11-22T19:30:00Z  V1 → V2, 3 rows written in 0.012 s by notes`.
  public var description: String {
    let count = rows.values.reduce(0, +)
    let versions = "\(fromVersion ?? "a version without a name") → \(toVersion ?? "another one")"
    return
      "\(date)  \(versions), \(CountText.counted(count, "row")) written "
      + "in \(seconds) s by \(program)"
  }
}

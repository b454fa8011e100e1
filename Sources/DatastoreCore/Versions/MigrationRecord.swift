import Basics

/// One migration of a store, as the store remembers it.
public struct MigrationRecord: Sendable, Codable, Hashable {
  /// When it was done: ISO 8601, UTC.
  public let date: String
  /// The program that did it.
  public let program: String
  /// How long it took.
  public let seconds: Double
  /// By the name of a table: how many rows were written.
  public let rows: [String: Int]
  /// The name of the version that it began with; nil without one.
  public let fromVersion: String?
  /// The name of the version that it ended with; nil without one.
  public let toVersion: String?
  /// By the name of an entity: the fingerprint of what its table was.
  public let fromHashes: [String: String]?
  /// By the name of an entity: the fingerprint of what its table is since then.
  public let toHashes: [String: String]?
  /// By the name of a version that came between: its fingerprints, as above. The store has never been of it,
  /// and is newer all the same. nil in the records of older programs.
  public let passedHashes: [String: [String: String]]?
  /// The entities that the store had before.
  public let formerSchema: [EntityDescription]

  /// - Parameters:
  ///   - old: the entities before.
  ///   - new: those that there are now.
  ///   - passed: the versions between.
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

  /// Whether the store was of such a version before, or has left it behind.
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

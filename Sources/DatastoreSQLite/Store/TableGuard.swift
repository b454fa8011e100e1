import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite
import Synchronization

/// Checks that rows are read from and written to the tables that the mapping was made from. Another process
/// may change them while the file is open: by `ALTER TABLE`, by `DROP` and `CREATE`, by a migration.
///
/// Every transaction reads `PRAGMA schema_version`, which SQLite raises with each change of a table, and
/// compares the tables only if that number is new. `VACUUM`, new indexes and new tables raise it as well:
/// compatible versions are remembered, and no one is notified.
///
/// On a connection that sees changed tables, SQLite refuses each statement of the store that reads a column
/// of one of them. So it does not matter which code built the statement, or when.
final class TableGuard: Sendable {
  /// The mapping when the file was opened.
  let complete: SchemaMapping
  /// Whether, and with which tables, words are looked up.
  let words: WordTableGuard
  private let path: String
  /// The last version of the schema that is known to be compatible with that of the mapping.
  private let known: Lock<Int64?>
  /// The last version whose tables were exactly those of the mapping.
  private let equal: Lock<Int64?>
  /// The tables when the mapping was made; nil until needed.
  private let original: Lock<[FileTable]?>
  /// The findings by version of the schema. Kept, because connections refer to them.
  private let findings = Lock<[Int64: TableFinding]>([:])
  /// The connections on which statements are refused, by their addresses.
  private let refusing = Lock<Set<UInt>>([])
  private let isRefusing = Atomic<Bool>(false)

  /// - Parameters:
  ///   - reflected: the tables that the mapping was made from; nil for native ones, which follow from the
  ///     model.
  ///   - version: `PRAGMA schema_version` of the tables that the mapping was made from; nil if not known, so
  ///     that the first transaction compares them.
  init(_ mapping: SchemaMapping, _ reflected: [FileTable]?, path: String, version: Int64?) {
    complete = mapping
    words = WordTableGuard(mapping)
    original = Lock(reflected)
    self.path = path
    known = Lock(version)
    equal = Lock(version)
  }

  /// The mapping for reading and writing rows: without missing indexes of words.
  var mapping: SchemaMapping { words.areThere ? complete : words.mappingWithout }

  /// Checks the tables in a transaction, before anything is read in it.
  ///
  /// - Returns: the changes, if statements that read them are refused from now on; nil while all tables are
  ///   compatible with the mapping.
  /// - Throws: `StoreError.migrated`.
  @inline(__always)
  func check(_ database: Database) throws -> TableFinding? {
    let version = try RawStatement.schemaVersion(database)
    if version == known.withLock({ $0 }), !isRefusing.load(ordering: .acquiring) { return nil }
    return try checkTables(version ?? 0, in: database)
  }

  /// Runs `body` in a transaction that has just begun.
  ///
  /// - Throws: the errors of `body`; `StoreError.migrated`, and `StoreError.tablesChanged` if it reads a
  ///   table that has changed.
  func reading<T>(_ database: Database, _ body: (Database) throws -> T) throws -> T {
    guard let finding = try check(database) else { return try words.reading(database, body) }
    do {
      return try words.reading(database, body)
    } catch let error as DatabaseError where finding.isCause(of: error) {
      throw StoreError.tablesChanged(path: path, tables: finding.unreadable.sorted())
    }
  }

  /// Checks, in a transaction that is about to write, that the tables of entities are still those that the
  /// mapping was made from. Columns added after theirs, and unrelated tables, make no difference.
  ///
  /// - Parameter entities: the entities to check; nil for all.
  /// - Throws: `StoreError.migrated`, `StoreError.tablesChanged`.
  func requireKnownTables(_ entities: Set<EntityIndex>? = nil, in database: Database) throws {
    let version = try RawStatement.schemaVersion(database)
    if version == known.withLock({ $0 }) { return }
    let finding = try finding(version ?? 0, in: database)
    let written = entities.map(mapping.tables(of:))
    let concerned = finding.unwritable.filter { written?.contains($0.caselessKey) ?? true }
    guard concerned.isEmpty else {
      throw StoreError.tablesChanged(path: path, tables: concerned.sorted())
    }
  }

  /// Whether tables, views or indexes of the file differ from those that the mapping was made from; for
  /// native files, whether they have other entities.
  func haveTablesChanged(in database: Database) throws -> Bool {
    let version = try RawStatement.schemaVersion(database)
    if version == equal.withLock({ $0 }) { return false }
    let present = try Self.comparing { try FileTable.all(in: database) }
    if mapping.isNative {
      // By their stored values and their descriptions: a further index makes no difference.
      let described = try FileMetadata.descriptions(in: database) ?? []
      guard StoredSchemaFitting(mapping.fileSchema, present).differences.isEmpty,
        EntityHash.all(described)
          == EntityHash.all(mapping.fileSchema.entities.map(\.description))
      else { return true }
      equal.withLock { $0 = version }
      return false
    }
    guard try Set(present) == Set(originalTables()) else { return true }
    equal.withLock { $0 = version }
    return false
  }

  private func checkTables(_ version: Int64, in database: Database) throws -> TableFinding? {
    let finding = try finding(version, in: database)
    let connection = UInt(bitPattern: database.sqliteConnection)
    if finding.unreadable.isEmpty {
      let isLast = refusing.withLock { $0.remove(connection) != nil ? $0.isEmpty : nil }
      if let isLast {
        TypedSQL.watch(database)
        if isLast { isRefusing.store(false, ordering: .releasing) }
      }
      return nil
    }
    refusing.withLock { _ = $0.insert(connection) }
    isRefusing.store(true, ordering: .releasing)
    // Statements prepared before are prepared again, and checked, too.
    finding.refuse(on: database)
    return finding
  }

  private func finding(_ version: Int64, in database: Database) throws -> TableFinding {
    if let finding = findings.withLock({ $0[version] }) { return try finding.unlessMigrated(path) }
    let expected = try originalTables()
    let made = try Self.comparing { try TableFinding(mapping, expected, in: database) }
    // If several connections check at once, all refer to the first finding: another one would be released
    // while SQLite still uses it.
    let finding = findings.withLock { findings in
      if let first = findings[version] { return first }
      findings[version] = made
      return made
    }
    try words.look(in: database, whereMadeAs: expected)
    if finding.unwritable.isEmpty, finding.unreadable.isEmpty, finding.migration == nil {
      known.withLock { $0 = version }
    }
    return try finding.unlessMigrated(path)
  }

  private func originalTables() throws -> [FileTable] {
    try original.withLock { original in
      let tables = try original ?? mapping.nativeTables()
      original = tables
      return tables
    }
  }

  /// Whether this thread is comparing tables, which must not be refused.
  @TaskLocal static var isComparing = false

  private static func comparing<T>(_ body: () throws -> T) throws -> T {
    try $isComparing.withValue(true) { try body() }
  }
}

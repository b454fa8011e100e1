import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB

/// Creates and checks the tables and the `_datastore` table of a native file.
///
/// See `FileMetadata` for the content of that table.
struct NativeFile {
  let mapping: SchemaMapping
  let path: String

  init(_ mapping: SchemaMapping, path: String) {
    self.mapping = mapping
    self.path = path
  }

  /// Creates everything in an empty file; in an older one checks that it fits the model, creates indexes that
  /// the model has gained, and rewrites the description in the present format.
  ///
  /// - Returns: the version of its schema afterwards.
  func open(_ database: Database) throws -> Int64? {
    var version: Int64?
    try database.inTransaction(.immediate) {
      if try Self.isNative(database) {
        try check(database)
        if try !isDescribed(in: database) {
          // Only declarations that do not affect tables differ.
          try dropFormerIndexes(in: database)
          for statement in NativeTables(mapping: mapping).indexes {
            try RawStatement(statement, in: database).run()
          }
          try describe(in: database)
        }
        try WordTables(mapping).make(in: database)
      } else {
        try create(database)
      }
      version = try RawStatement.schemaVersion(database)
      return .commit
    }
    return version
  }

  /// Drops the indexes in the file's description that are not in the model.
  private func dropFormerIndexes(in database: Database) throws {
    let described = SchemaMapping.native(try Self.schema(in: database, path: path))
    try WordTables(described).drop(besides: WordTables(mapping), in: database)
    let former = NativeTables(mapping: described)
    let wanted = Dictionary(
      NativeTables(mapping: mapping).describedIndexes.map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    for index in former.describedIndexes
    where !(wanted[index.name].map { $0.isAbout(index) } ?? false) {
      try RawStatement("DROP INDEX IF EXISTS \(name: index.name)", in: database).run()
    }
  }

  /// The relation of a file with content to a model.
  enum Fitness {
    /// Native, and nothing has to be written before it is used.
    case upToDate
    /// Native, of the same model with other indexes; or of another version of it, if it is to be migrated.
    case outdated
    /// Without any table.
    case empty
    /// Made by another program.
    case foreign
  }

  /// Determines the relation on a connection that changes nothing. Another process may be saving: it is not
  /// waited for.
  ///
  /// - Returns: the relation, and the version of the file's schema.
  /// - Throws: `StoreError` when it was made from another model, unless it is to be migrated.
  func fitness(
    at place: String, isToBeMigrated: Bool = false
  ) throws -> (Fitness, schemaVersion: Int64?) {
    let probe = try DatabaseQueue(
      path: place, configuration: Connections.probing(keyTables: mapping.keyTables))
    let found = try probe.read { database in
      (
        try fitness(of: database, isToBeMigrated: isToBeMigrated),
        try RawStatement.schemaVersion(database)
      )
    }
    try probe.close()
    return found
  }

  private func fitness(of database: Database, isToBeMigrated: Bool) throws -> Fitness {
    guard try Self.isNative(database) else {
      return try Self.isEmpty(database) ? .empty : .foreign
    }
    if isToBeMigrated {
      try Self.checkFormat(database, path: path)
    } else {
      try check(database)
    }
    let isComplete = try isDescribed(in: database) && WordTables(mapping).areThere(in: database)
    return isComplete ? .upToDate : .outdated
  }

  /// Whether the file's description equals the model.
  private func isDescribed(in database: Database) throws -> Bool {
    try FileMetadata.describes(
      mapping.schema.entities.map(\.description), version: mapping.schema.version, in: database)
  }

  /// Writes the model's description into the file.
  private func describe(in database: Database) throws {
    try FileMetadata.describe(
      mapping.schema.entities.map(\.description), version: mapping.schema.version, in: database)
  }

  func create(_ database: Database) throws {
    guard try Self.isEmpty(database) else { throw StoreError.notNative(path: path) }
    try Self.requireUTF8(database, path: path)
    try RawStatement(
      "CREATE TABLE _datastore (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
      in: database
    ).run()
    for statement in NativeTables(mapping: mapping).statements {
      try RawStatement(statement, in: database).run()
    }
    try WordTables(mapping).make(in: database)
    try FileMetadata.setValue(UUID().uuidString, for: "uuid", in: database)
    try FileMetadata.setValue("SwiftDatastore", for: "created_by", in: database)
    try describe(in: database)
  }

  /// Compares the file's entities with the model's.
  func check(_ database: Database) throws {
    guard try Self.isNative(database) else { throw StoreError.notNative(path: path) }
    try Self.checkFormat(database, path: path)
    // Both are computed, so that changing the computation needs no change of files.
    let stored = EntityHash.all(
      try Self.schema(in: database, path: path).entities.map(\.description))
    let wanted = EntityHash.all(mapping.schema.entities.map(\.description))
    let differences = Set(stored.keys).union(wanted.keys).sorted().compactMap { name in
      switch (stored[name]?.tables, wanted[name]?.tables) {
      case (nil, _): "\(name) is not in the file"
      case (_, nil): "\(name) is not in the model"
      case (let a, let b): a == b ? nil : "\(name) differs"
      }
    }
    guard differences.isEmpty else {
      throw StoreError.schemaMismatch(path: path, differences: differences)
    }
  }

  static func checkFormat(_ database: Database, path: String) throws {
    try requireUTF8(database, path: path)
    let version = try FileMetadata.value("format", in: database) ?? "unknown"
    guard FileMetadata.knownFormats.contains(version) else {
      throw StoreError.unknownFormat(path: path, version: version)
    }
  }

  /// Rows are read without converting text, so all of it must be UTF-8.
  private static func requireUTF8(_ database: Database, path: String) throws {
    let statement = try RawStatement("PRAGMA encoding", in: database)
    guard try statement.step(), statement.value(at: 0) != .text("UTF-8") else { return }
    throw StoreError.malformed(path: path, detail: "it does not keep text as UTF-8")
  }

  /// Whether the file has the description table, with the columns of a native one: a third-party table may
  /// have the same name.
  static func isNative(_ database: Database) throws -> Bool {
    let isThere =
      try RawStatement(
        """
        SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_datastore' \
        AND (SELECT group_concat(name || ' ' || type || ' ' || pk, ', ') \
        FROM pragma_table_info('_datastore')) = 'key TEXT 1, value TEXT 0'
        """, in: database
      ).firstInteger() != nil
    return try isThere && FileMetadata.value("format", in: database) != nil
  }

  /// The schema in the file's description.
  static func schema(in database: Database, path: String) throws -> Schema {
    guard let descriptions = try FileMetadata.descriptions(in: database),
      let schema = try? Schema(
        descriptions.inFamilies, version: FileMetadata.value("version", in: database))
    else {
      throw StoreError.malformed(path: path, detail: "its table _datastore cannot be read")
    }
    return schema
  }

  private static func isEmpty(_ database: Database) throws -> Bool {
    try RawStatement(
      "SELECT 1 FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' LIMIT 1",
      in: database
    ).firstInteger() == nil
  }
}

extension [EntityDescription] {
  /// Children right after their parents, otherwise in the same order.
  fileprivate var inFamilies: [EntityDescription] {
    func family(_ parent: String?) -> [EntityDescription] {
      filter { $0.parent == parent }.flatMap { [$0] + family($0.name) }
    }
    let ordered = family(nil)
    // The schema reports a cycle of parents.
    return ordered.count == count ? ordered : self
  }
}

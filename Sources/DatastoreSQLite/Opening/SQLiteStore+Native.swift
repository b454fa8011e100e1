package import DatastoreCore
import DatastoreSQL
package import Foundation
import GRDB
import SQLiteFiles

extension SQLiteStore {
  /// Opens or creates a file for a model. A third-party file is opened if its tables fit the model (see
  /// `ModelFitting`), and keeps its layout and journal mode.
  ///
  /// - Parameters:
  ///   - isReadOnly: whether the store is only read: the file must exist, and saving throws.
  ///   - synchronous: how durable a save is when the power fails.
  ///   - isUnderConstruction: whether no one else opens the file before it is closed, and a file that is
  ///     never closed is useless: it is written faster then.
  ///   - migration: the permitted changes to a file that was created from another version of the model.
  ///   - whole: the schema that `schema` is a part of, for one of several stores: its entities have their
  ///     indices there.
  /// - Throws: `StoreError`; `.schemaMismatch` when the file was made from another model, and may only be
  ///   read or is not to be migrated, `.modelDoesNotFit` when another program made it and its tables differ;
  ///   `MigrationError` with everything that prevents the migration.
  package convenience init(
    _ schema: Schema, at url: URL, isReadOnly: Bool = false, synchronous: Synchronous = .normal,
    isUnderConstruction: Bool = false,
    migration: MigrationRequest = MigrationRequest(policy: .none), within whole: Schema? = nil,
    trace: SQLTrace? = nil
  ) throws {
    var mapping = SchemaMapping.native(schema)
    var schemaVersion: Int64?
    let path = try Self.path(of: url)
    let hasContent = try FileHeader.check(path)
    if isReadOnly, !hasContent { throw StoreError.missingFile(path: path) }
    if hasContent, !isReadOnly, FileHeader.isWriteProtected(path) {
      throw StoreError.readOnly(path: path)
    }
    var side = SideFiles(path: path)
    do {
      var place = path
      var isUpToDate = false
      if hasContent {
        let file = NativeFile(mapping, path: path)
        let mayMigrate = !isReadOnly && migration.policy != .none
        var (fitness, version) = try side.reading(isReadOnly: isReadOnly) {
          place = $0
          return try file.fitness(at: $0, isToBeMigrated: mayMigrate)
        }
        if mayMigrate, fitness == .outdated {
          try Migrator(path: path, file: path, after: mapping, request: migration)
            .migrateFile(synchronous: synchronous, trace: trace)
          (fitness, version) = try file.fitness(at: place)
        }
        schemaVersion = version
        if fitness == .foreign {
          try self.init(
            existing: url, fitting: schema, within: whole, isReadOnly: isReadOnly,
            synchronous: synchronous, trace: trace)
          return
        }
        if isReadOnly, fitness == .empty { throw StoreError.notNative(path: path) }
        isUpToDate = fitness == .upToDate
        // A file that is only read gets no index of words.
        if isReadOnly, !isUpToDate { mapping = mapping.withoutWordIndexes }
      }
      var writer = Writer.notYetOpen
      if !isReadOnly, !isUpToDate {
        let connection = try Connections.writer(
          at: path, mapping: mapping, synchronous: synchronous,
          isUnderConstruction: isUnderConstruction, lockTimeout: FileLock.timeout, trace: trace)
        schemaVersion = try connection.writeWithoutTransaction { database in
          let version = try NativeFile(mapping, path: path).open(database)
          Connections.waitForSaving(database)
          return version
        }
        writer = .open(connection)
      }
      let pool = try DatabasePool(
        path: place,
        configuration: Connections.configuration(
          keyTables: mapping.keyTables, isReadOnly: true, trace: trace))
      self.init(
        mapping: whole.map(mapping.placed) ?? mapping, schemaVersion: schemaVersion, url: url,
        isReadOnly: isReadOnly, reader: pool, writer: writer, sideFiles: side,
        synchronous: synchronous, isUnderConstruction: isUnderConstruction, trace: trace)
    } catch {
      side.tidyUp()
      guard let error = error as? DatabaseError else { throw error }
      throw StoreError(error, path: path)
    }
  }

  /// Creates a store that lives as long as this object.
  ///
  /// - Parameters:
  ///   - whole: the schema that `schema` is a part of, for one of several stores.
  ///   - source: the source of the rows; nil if the store has them.
  package convenience init(
    inMemory schema: Schema, within whole: Schema? = nil, trace: SQLTrace? = nil,
    rowsFrom source: (any RowSource)? = nil
  ) throws {
    let mapping = SchemaMapping.native(schema)
    let path = "the store in memory"
    do {
      let queue = try DatabaseQueue(
        configuration: Connections.configuration(
          keyTables: mapping.keyTables, isReadOnly: false, trace: trace))
      _ = try queue.writeWithoutTransaction { try NativeFile(mapping, path: path).open($0) }
      self.init(
        mapping: whole.map(mapping.placed) ?? mapping, url: nil, isReadOnly: false, reader: queue,
        writer: .open(queue),
        trace: trace, rowSource: source)
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }
}

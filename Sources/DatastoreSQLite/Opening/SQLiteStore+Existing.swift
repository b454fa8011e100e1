package import DatastoreCore
import DatastoreSQL
package import Foundation
import GRDB
import SQLiteFiles

extension SQLiteStore {
  /// Opens any SQLite file: a native one with the schema it says it has, every other with the one that its
  /// tables and views show. Where other tools have changed the tables of a native one, the tables count: see
  /// `StoredSchemaFitting`.
  ///
  /// Opening reads the file's schema, and with `annotations` some rows of tables that may hold dates. It does
  /// not change the file, in the journal mode it has: the first save opens it for writing. One exception:
  /// what a program that has ended had begun to save, without WAL, is taken back, since the file cannot be
  /// read before. A file in WAL mode on a medium that cannot be written is read as one that no one
  /// changes, if it was closed cleanly.
  ///
  /// Stores of Core Data have the entities of the model that is in them, or else what their tables suggest.
  /// They are for reading only: their programs count on more than is kept here.
  ///
  /// - Parameters:
  ///   - showsJoinTables: whether tables of pairs are entities to be read, and not just relationships.
  ///   - annotations: what was said of the file; nil where dates are not looked for, and columns are
  ///     what they are declared as.
  ///   - isReadOnly: saving throws; needed for files that cannot be written.
  ///   - model: the entities that tables of another program's file are to have; nil for what the
  ///     tables show.
  ///   - coreDataModel: the model of a Core Data store, instead of that in it.
  ///   - whole: the schema of which `model` is a part, for one of several stores.
  ///   - synchronous: how sure a save is to survive when the power fails.
  /// - Throws: `StoreError`; `.modelDoesNotFit` when the tables are not what the model says.
  package convenience init(
    existing url: URL, fitting model: Schema? = nil, within whole: Schema? = nil,
    coreDataModel: CoreDataModel? = nil, showsJoinTables: Bool = false,
    annotations: SchemaAnnotations? = nil, isReadOnly: Bool = false,
    synchronous: Synchronous = .normal, trace: SQLTrace? = nil
  ) throws {
    let path = try Self.path(of: url)
    guard try FileHeader.check(path) || FileManager.default.fileExists(atPath: path) else {
      throw StoreError.missingFile(path: path)
    }
    if !isReadOnly, FileHeader.isWriteProtected(path) {
      throw HotJournal.isThere(path)
        ? StoreError.interruptedSave(path: path) : StoreError.readOnly(path: path)
    }
    var side = SideFiles(path: path)
    do {
      var place = path
      let (found, reflected, version, coreData) = try side.reading(isReadOnly: isReadOnly) {
        place = $0
        return try Self.mapping(
          ofFileAt: $0, path: path, fitting: model, coreDataModel: coreDataModel,
          showsJoinTables: showsJoinTables,
          annotations: annotations, isReadOnly: isReadOnly)
      }
      let mapping = whole.map(found.placed) ?? found
      let pool = try DatabasePool(
        path: place,
        configuration: Connections.configuration(
          keyTables: mapping.keyTables, isReadOnly: true, trace: trace))
      self.init(
        mapping: mapping, reflected: reflected, schemaVersion: version, url: url,
        isReadOnly: isReadOnly || coreData != nil, coreData: coreData, reader: pool,
        writer: .notYetOpen, sideFiles: side,
        synchronous: synchronous, trace: trace)
    } catch {
      side.tidyUp()
      guard let error = error as? DatabaseError else { throw error }
      throw StoreError(error, path: path)
    }
  }

  /// Reads the schema on a connection of its own, which is closed again.
  private static func mapping(
    ofFileAt place: String, path: String, fitting model: Schema?,
    coreDataModel: CoreDataModel?, showsJoinTables: Bool, annotations: SchemaAnnotations?,
    isReadOnly: Bool
  ) throws -> (SchemaMapping, ReflectedTables?, schemaVersion: Int64?, CoreDataContents?) {
    let probe = try DatabaseQueue(path: place, configuration: Connections.probing())
    let found = try probe.read {
      database -> (SchemaMapping, ReflectedTables?, schemaVersion: Int64?, CoreDataContents?) in
      if try NativeFile.isNative(database) {
        try NativeFile.checkFormat(database, path: path)
        let (mapping, tables) = try SchemaMapping.described(
          NativeFile.schema(in: database, path: path), in: database, annotations: annotations)
        return (mapping, tables, try RawStatement.schemaVersion(database), nil)
      }
      let isCoreData = try CoreDataFile.isCoreData(database)
      if isCoreData, model == nil {
        let (mapping, tables, contents) = try SchemaMapping.coreData(
          in: database, at: path, model: coreDataModel, showsJoinTables: showsJoinTables,
          annotations: annotations)
        return (mapping, tables, tables.schemaVersion, contents)
      }
      var (mapping, tables) =
        if let model {
          try SchemaMapping.fitted(model, to: database, at: path)
        } else {
          try SchemaMapping.reflected(
            from: database, showsJoinTables: showsJoinTables, annotations: annotations)
        }
      if !isReadOnly {
        mapping.refusals = try RefusedTables.found(among: tables.tables, in: database)
      }
      return (mapping, tables, tables.schemaVersion, isCoreData ? CoreDataContents() : nil)
    }
    try probe.close()
    return found
  }
}

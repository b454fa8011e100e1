package import DatastoreCore
import DatastoreSQL
package import Foundation
import GRDB
import SQLiteFiles

extension SQLiteStore {
  /// Opens any SQLite file: a native one with the schema in its description, any other with the one of its
  /// tables and views. If other tools have changed the tables of a native one, the tables count: see
  /// `StoredSchemaFitting`.
  ///
  /// Opening reads the file's schema, and with `annotations` some rows of tables that may hold dates. It does
  /// not change the file, whatever its journal mode: the first save opens it for writing. One exception: the
  /// unfinished save of a program that has ended, without WAL, is rolled back, because the file cannot be
  /// read before. A file in WAL mode on a read-only medium is read as one that no one changes, if it was
  /// closed cleanly.
  ///
  /// Core Data stores have the entities of the model in them, or else those that their tables suggest. They
  /// are read-only: their programs rely on more than this library maintains.
  ///
  /// - Parameters:
  ///   - showsJoinTables: whether tables of pairs are readable entities, and not just relationships.
  ///   - annotations: the annotations of the file; nil to leave out the search for dates and use the declared
  ///     types of columns.
  ///   - isReadOnly: whether saving throws; required for files that cannot be written.
  ///   - model: the entities for tables of a third-party file; nil for those of the tables.
  ///   - coreDataModel: the model of a Core Data store, used in place of the one in it.
  ///   - whole: the schema that `model` is a part of, for one of several stores.
  ///   - synchronous: how durable a save is when the power fails.
  /// - Throws: `StoreError`; `.modelDoesNotFit` when the tables do not fit the model.
  package convenience init(
    existing url: URL, fitting model: Schema? = nil, within whole: Schema? = nil,
    coreDataModel: CoreDataModel? = nil, showsJoinTables: Bool = false,
    annotations: SchemaAnnotations? = nil, isReadOnly: Bool = false,
    synchronous: Synchronous = .normal, trace: SQLTrace? = nil
  ) throws {
    let path = try Self.path(of: url)
    try FileHeader.checkPresent(path)
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

  /// Reads the schema on a separate connection, which is closed again.
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

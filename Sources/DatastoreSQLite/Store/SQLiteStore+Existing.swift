package import DatastoreCore
package import Foundation
import GRDB

extension SQLiteStore {
  /// Opens any SQLite file: one of ours with the schema it says it has, every other with the one
  /// that its tables and views show.
  ///
  /// Opening reads the file's schema and no rows. Files of others are opened for reading, in the
  /// journal mode they have, and not changed before the first save. A file in WAL mode on a medium
  /// that cannot be written is read as one that nobody changes, if it was closed cleanly.
  ///
  /// - Parameters:
  ///   - isReadOnly: saving throws; needed for files that cannot be written.
  ///   - model: the entities that tables of another program's file are to have; nil for what the
  ///     tables show.
  /// - Throws: `StoreError`; `.modelDoesNotFit` when the tables are not what the model says.
  package convenience init(
    existing url: URL, fitting model: Schema? = nil, isReadOnly: Bool = false,
    trace: SQLTrace? = nil
  ) throws {
    let path = url.path
    guard try FileHeader.check(path) || FileManager.default.fileExists(atPath: path) else {
      throw StoreError.missingFile(path: path)
    }
    if !isReadOnly, FileHeader.isWriteProtected(path) { throw StoreError.readOnly(path: path) }
    var side = SideFiles(path: path)
    do {
      var place = path
      let mapping = try side.reading(isReadOnly: isReadOnly) {
        place = $0
        return try Self.mapping(ofFileAt: $0, path: path, fitting: model)
      }
      let configuration = Connections.configuration(
        keyTables: mapping.keyTables, isReadOnly: isReadOnly || !mapping.isNative, trace: trace)
      let pool = try DatabasePool(path: place, configuration: configuration)
      if mapping.isNative { pool.writeWithoutTransaction { Connections.waitForSaving($0) } }
      let writer: Writer = mapping.isNative ? .open(pool) : .notYetOpen
      self.init(
        mapping: mapping, url: url, isReadOnly: isReadOnly, reader: pool, writer: writer,
        sideFiles: isReadOnly || !mapping.isNative ? side : nil, trace: trace)
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }

  /// Reads the schema on a connection of its own, which is closed again.
  private static func mapping(
    ofFileAt place: String, path: String, fitting model: Schema?
  ) throws -> SchemaMapping {
    let probe = try DatabaseQueue(path: place, configuration: Connections.probing())
    let mapping = try probe.read { database in
      if try NativeFile.isNative(database) {
        try NativeFile.checkFormat(database, path: path)
        return SchemaMapping.native(try NativeFile.schema(in: database, path: path))
      }
      if let model { return try SchemaMapping.fitted(model, to: database, at: path) }
      return try SchemaMapping.reflected(from: database)
    }
    try probe.close()
    return mapping
  }
}

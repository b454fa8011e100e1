package import DatastoreCore
package import Foundation
import GRDB

extension SQLiteStore {
  /// Opens a file for a model, or makes it. A file of another program is opened when its tables fit the
  /// model (see `ModelFitting`), and keeps its layout and journal mode.
  ///
  /// - Parameter isReadOnly: look only: the file must exist, and saving throws.
  /// - Throws: `StoreError`; `.schemaMismatch` when the file was made from another model,
  ///   `.modelDoesNotFit` when it was made by another program and its tables differ.
  package convenience init(
    _ schema: Schema, at url: URL, isReadOnly: Bool = false, trace: SQLTrace? = nil
  ) throws {
    let mapping = SchemaMapping.native(schema)
    let path = url.path
    let hasContent = try FileHeader.check(path)
    if isReadOnly, !hasContent { throw StoreError.missingFile(path: path) }
    if hasContent, !isReadOnly, FileHeader.isWriteProtected(path) {
      throw StoreError.readOnly(path: path)
    }
    let configuration = Connections.configuration(
      keyTables: mapping.keyTables, isReadOnly: isReadOnly, trace: trace)
    var side = SideFiles(path: path)
    do {
      var place = path
      // Before the pool, which would change the journal mode of a file that is not ours.
      if hasContent {
        let isForeign = try side.reading(isReadOnly: isReadOnly) {
          place = $0
          return try NativeFile(mapping, path: path).isForeign(at: $0)
        }
        if isForeign {
          try self.init(existing: url, fitting: schema, isReadOnly: isReadOnly, trace: trace)
          return
        }
      }
      let pool = try DatabasePool(path: place, configuration: configuration)
      if isReadOnly {
        try pool.read { try NativeFile(mapping, path: path).check($0) }
      } else {
        try pool.writeWithoutTransaction { database in
          try NativeFile(mapping, path: path).open(database)
          Connections.waitForSaving(database)
        }
      }
      self.init(
        mapping: mapping, url: url, isReadOnly: isReadOnly, reader: pool, writer: .open(pool),
        sideFiles: isReadOnly ? side : nil, trace: trace)
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }

  /// A store that lives as long as this object.
  package convenience init(inMemory schema: Schema, trace: SQLTrace? = nil) throws {
    let mapping = SchemaMapping.native(schema)
    let path = "the store in memory"
    do {
      let queue = try DatabaseQueue(
        configuration: Connections.configuration(
          keyTables: mapping.keyTables, isReadOnly: false, trace: trace))
      try queue.writeWithoutTransaction { try NativeFile(mapping, path: path).open($0) }
      self.init(
        mapping: mapping, url: nil, isReadOnly: false, reader: queue, writer: .open(queue),
        trace: trace)
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }
}

import Basics
package import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

extension SQLiteStore {
  /// Creates a store in memory whose single entity has the rows of a source. It is read-only.
  ///
  /// - Parameter schema: a schema with one entity, with attributes only.
  /// - Throws: `StoreError`.
  package convenience init(
    _ schema: Schema, rowsFrom source: any RowSource, trace: SQLTrace? = nil
  ) throws {
    try self.init(inMemory: schema, trace: trace, rowsFrom: source)
    guard let mapped = mapping.entities.first(where: { _ in true }) else {
      trap("a source of rows is one of an entity")
    }
    try write { database in
      let columns = try RowSourceTable.columns(of: mapped, in: database)
      try RawStatement("DROP TABLE \(name: mapped.table)", in: database).run()
      try RowSourceTable(source, columns: columns).register(in: database)
      try RawStatement(
        "CREATE VIRTUAL TABLE \(name: mapped.table) USING \(name: RowSourceTable.module)",
        in: database
      ).run()
    }
  }
}

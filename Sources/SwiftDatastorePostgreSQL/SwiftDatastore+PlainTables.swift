#if PostgreSQL
package import DatastoreSQL
import DatastorePostgreSQL
package import SwiftDatastore

/// The tables of other programs in a server.
extension SwiftDatastore {
  /// Makes tables with the rows of a source in a database, all or nothing.
  ///
  /// - Parameters:
  ///   - schema: is created where it does not exist; nil for the first one of the search path.
  ///   - isTrial: make nothing, and say what would be done.
  ///   - progress: hears how many rows are written.
  /// - Throws: `PlainTableFault`; `StoreError`; `CancellationError`.
  package static func makePlainTables(
    of source: any PlainTableSource, inPostgreSQL address: String, schema: String?,
    isTrial: Bool = false, progress: (Int) -> Void = { _ in }
  ) throws -> MadeTables {
    try PostgreSQLStore.makePlainTables(
      of: source, at: PostgreSQLAddress(address), in: schema, isTrial: isTrial, progress: progress)
  }

  /// Runs `body` with the tables of a database, or of one of its schemas, as they are at one moment.
  ///
  /// - Throws: what `body` throws; `StoreError`; `CancellationError`.
  package static func withPlainTables<Result>(
    ofPostgreSQL address: String, schema: String?, _ body: (any PlainTableSource) throws -> Result
  ) throws -> Result {
    try PostgreSQLStore.withPlainTables(of: PostgreSQLAddress(address), schema: schema, body)
  }
}
#endif

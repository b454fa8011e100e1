#if PostgreSQL
package import DatastoreSQL
import DatastorePostgreSQL
package import SwiftDatastore

/// Copies tables of other programs from and to a server.
extension SwiftDatastore {
  /// Makes tables with the rows of a source in a database, all or none of them.
  ///
  /// - Parameters:
  ///   - schema: created if it does not exist; nil for the first schema of the search path.
  ///   - isTrial: whether only to report the work, and make nothing.
  ///   - progress: receives the number of written rows.
  /// - Throws: `PlainTableFault`; `StoreError`; `CancellationError`.
  package static func makePlainTables(
    of source: any PlainTableSource, inPostgreSQL address: String, schema: String?,
    isTrial: Bool = false, progress: (Int) -> Void = { _ in }
  ) throws -> MadeTables {
    try PostgreSQLStore.makePlainTables(
      of: source, at: PostgreSQLAddress(address), in: schema, isTrial: isTrial, progress: progress)
  }

  /// Runs `body` with a consistent state of the tables of a database, or of one of its schemas.
  ///
  /// - Throws: errors of `body`; `StoreError`; `CancellationError`.
  package static func withPlainTables<Result>(
    ofPostgreSQL address: String, schema: String?, _ body: (any PlainTableSource) throws -> Result
  ) throws -> Result {
    try PostgreSQLStore.withPlainTables(of: PostgreSQLAddress(address), schema: schema, body)
  }
}
#endif

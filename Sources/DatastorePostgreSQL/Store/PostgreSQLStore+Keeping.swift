#if PostgreSQL
package import DatastoreCore
package import Foundation

/// What is done for files, and by its own tools for a server.
extension PostgreSQLStore {
  package var url: URL? { nil }

  package func backUp(to url: URL) throws {
    throw StoreError.unsupportedPredicate(
      "A database in a server is backed up by its own tools, such as pg_dump; nothing was copied.")
  }

  package func integrityFaults() throws -> [String] {
    throw StoreError.unsupportedPredicate(
      "A database in a server is checked by its own tools, such as pg_amcheck.")
  }

  /// Nothing waits anywhere: what is committed is where others read it.
  package func checkpoint() throws -> Bool {
    try requireOpen()
    return true
  }

  package func addEntities(_ descriptions: [EntityDescription]) throws {
    throw StoreError.unsupportedPredicate(
      "Tables are not added to a database in a server from here; add them with psql, and open it again."
    )
  }

  package func removeEmptyEntities(_ names: [String]) throws {
    throw StoreError.unsupportedPredicate(
      "Tables are not removed from a database in a server from here; remove them with psql.")
  }

  package func indexReferencedColumns() throws {
    throw StoreError.unsupportedPredicate(
      "Indexes are not added to a database in a server from here; add them with psql.")
  }
}
#endif

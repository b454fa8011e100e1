#if PostgreSQL
import DatastoreCore
package import Foundation

/// What is done for files, and with a server by its own tools.
extension PostgreSQLStore {
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
}
#endif

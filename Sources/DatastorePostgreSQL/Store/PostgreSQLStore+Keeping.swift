#if PostgreSQL
import DatastoreCore
package import Foundation

/// Work that files need, and that the server's own tools do for a server.
extension PostgreSQLStore {
  package func backUp(to url: URL) throws {
    throw StoreError.unsupportedPredicate(
      "A database in a server is backed up by its own tools, such as pg_dump; nothing was copied.")
  }

  package func integrityFaults() throws -> [String] {
    throw StoreError.unsupportedPredicate(
      "A database in a server is checked by its own tools, such as pg_amcheck.")
  }

  /// Nothing is pending: committed data is where others read it.
  package func checkpoint() throws -> Bool {
    try requireOpen()
    return true
  }
}
#endif

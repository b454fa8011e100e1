#if PostgreSQL
package import DatastoreCore

extension PostgreSQLStore {
  static let unwritable = StoreError.unsupportedPredicate(
    "Tables of other programs in a server can only be read yet; change them with psql.")

  package func save(_ changes: ChangeSet) throws -> SaveResult {
    try save(changes, unless: nil)
  }

  package func save(
    _ changes: ChangeSet, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> SaveResult {
    try requireWritable()
    throw Self.unwritable
  }
}
#endif

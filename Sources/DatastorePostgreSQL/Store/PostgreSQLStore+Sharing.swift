#if PostgreSQL
package import DatastoreCore

/// What others do in the database.
extension PostgreSQLStore {
  package func listen(_ told: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)? {
    guard capabilities.contains(.notifications) else { return nil }
    return ChangeListener(address, channels: channels) { [weak self] in
      self?.take($0) ?? false
    } told: {
      told()
    }
  }

  /// Rows are always compared as if somebody else wrote them, too.
  package func noteSharing() {}

  /// None: a transaction that stays open keeps the server from tidying up after everybody.
  package func snapshot() throws -> (any StoreSnapshot)? { nil }

  package var snapshotRefusal: String {
    "No context can keep reading one state of \(place), because a transaction that stays open keeps the "
      + "server from tidying up after everybody; read what belongs together with one query."
  }
}
#endif

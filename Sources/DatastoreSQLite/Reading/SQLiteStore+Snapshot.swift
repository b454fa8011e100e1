package import DatastoreCore
import DatastoreSQL
import Foundation
import GRDB

extension SQLiteStore {
  /// The current state of the store, for reading only, unaffected by later saves.
  ///
  /// It is a connection with an open transaction. While it is open, the log cannot be checkpointed beyond
  /// that state, and grows with every save.
  ///
  /// - Returns: nil for a store in memory and for third-party files, where an open transaction would prevent
  ///   saving.
  package func snapshot() throws -> (any StoreSnapshot)? {
    try requireOpen()
    guard mapping.isNative, let pool = reader as? DatabasePool else { return nil }
    do {
      let snapshot = try pool.makeSnapshot()
      if let tables {
        // The state is fixed from here on.
        try snapshot.read { try tables.requireKnownTables(in: $0) }
      }
      return SQLiteStore(
        mapping: mapping, url: nil, isReadOnly: true, reader: snapshot, writer: .closed,
        trace: trace, path: path)
    } catch let error as DatabaseError {
      throw storeError(error)
    }
  }

  package var snapshotRefusal: String {
    guard let url else {
      return
        "A store in memory has one connection, so that no context can keep reading one state of it."
    }
    return
      "No context can keep reading one state of \(url.path), because that would keep all other "
      + "connections from saving; it can for stores that were made by this library."
  }

  package func closeSnapshot() {
    try? close()
    try? reader.close()
  }
}

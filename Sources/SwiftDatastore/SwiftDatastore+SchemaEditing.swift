package import DatastoreCore
import DatastoreSQLite
import Foundation

/// The effect of schema edits on the file.
package enum SchemaEditPreview: Sendable {
  /// A migration, for a native file.
  case migration(MigrationForecast)
  /// SQL statements, for a third-party file.
  case statements([String])
}

/// Editing the schema of the open file. The datastore does not know the new tables; open the file again
/// afterwards. Waits for the file system.
extension SwiftDatastore {
  /// - Throws: `SchemaEdit.Fault`, `StoreError`.
  package func preview(_ edits: [SchemaEdit]) throws -> SchemaEditPreview {
    let (store, url) = try editable()
    guard coordinator.store.isNative else { return .statements(try store.alterations(edits)) }
    let schema = try edited(edits)
    var request = request(losing: [])
    request.backupPath = Self.backupPath(beside: url)
    return .migration(try SQLiteStore.forecast(of: schema, at: url, request))
  }

  /// Makes the edits in one transaction.
  ///
  /// - Parameters:
  ///   - losses: the data that may be lost, by the names in the file.
  ///   - progress: called on the thread that writes.
  ///   - isCancelled: called now and then; if it returns true, everything is rolled back.
  /// - Returns: the copy of the old file, if anything in it was lost.
  /// - Throws: `MigrationError`, `SchemaEdit.Fault`, `StoreError`, `CancellationError`; the file is unchanged
  ///   then.
  package func perform(
    _ edits: [SchemaEdit], losing losses: [String],
    progress: @escaping @Sendable (MigrationProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws -> String? {
    let (store, url) = try editable()
    guard coordinator.store.isNative else {
      try store.alter(edits)
      return nil
    }
    var request = request(losing: losses)
    request.progress = progress
    request.isCancelled = isCancelled
    request.backupPath = losses.isEmpty ? nil : Self.backupPath(beside: url)
    try SQLiteStore(
      try edited(edits), at: url, synchronous: options.synchronous, migration: request
    ).close()
    return request.backupPath
  }

  private func editable() throws -> (SQLiteStore, URL) {
    guard let store = coordinator.store as? SQLiteStore, let url else {
      throw SchemaEdit.Fault("A store in memory has no file whose tables could be changed.")
    }
    if coordinator.store.isNative,
      let sentence = SchemaDifferences.sentence(store.schemaDifferences)
    {
      throw SchemaEdit.Fault(
        "\(sentence) What the store says of itself no longer fits, so its tables can only be changed with SQL."
      )
    }
    return (store, url)
  }

  private func edited(_ edits: [SchemaEdit]) throws -> Schema {
    // An edited schema is another version, and has no name.
    try Schema(SchemaEdit.applied(edits, to: schema.entities.map(\.description)))
  }

  private func request(losing losses: [String]) -> MigrationRequest {
    var request = MigrationRequest(policy: .declared(DeclaredLosses(losses)))
    // Someone who edits a schema may intend to go back to an earlier version.
    request.mayGoBack = true
    request.base = schema.entities.map(\.description)
    return request
  }
}

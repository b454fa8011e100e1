import DatastoreCore

/// Events made from the engine's results.
extension DatastoreEvent.Kind {
  static func saved(_ changes: SavedChanges) -> DatastoreEvent.Kind {
    let counts = changes.counts
    return .saved(
      inserted: counts.inserted, updated: counts.updated, deleted: counts.deleted,
      author: changes.origin.author)
  }

  static func merged(_ changes: SavedChanges) -> DatastoreEvent.Kind {
    let counts = changes.counts
    return .merged(
      rows: counts.inserted + counts.updated + counts.deleted, source: changes.origin.source)
  }
}

extension EventLog {
  /// Logs a failed save: conflicts are warnings, since it is for the program to settle them.
  func failedSave(_ error: any Error) {
    if let conflict = error as? ConflictError {
      self(.warning, .conflict(conflict, policy: .error))
    } else if !(error is CancellationError) {
      self(.error, .failed(.saving, error))
    }
  }
}

extension MergedKeys {
  /// The number of rows that have changed; nil if any row may have.
  var rowCount: Int? {
    if isEverything { return nil }
    return inserted.values.reduce(0) { $0 + $1.count } + updated.values.reduce(0) { $0 + $1.count }
      + deleted.values.reduce(0) { $0 + $1.count }
  }
}

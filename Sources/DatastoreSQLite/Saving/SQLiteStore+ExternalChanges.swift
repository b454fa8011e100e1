package import DatastoreCore
import GRDB

extension SQLiteStore {
  /// The file does not tell what was written.
  package func externalChanges() throws -> [ExternalChange] {
    try checkForExternalChanges() ? [.anything] : []
  }

  /// Whether another process has written the file since the last call (the first time, since the store was
  /// opened). Costs a few microseconds when nothing has happened.
  ///
  /// - Throws: `StoreError`, `.replaced`, `.removed` or `.logRemoved` when the path no longer leads to the
  ///   file, or its log is lost.
  package func checkForExternalChanges() throws -> Bool {
    guard let watcher else { return false }
    try requireSameFile()
    let connection = openedWriter
    do {
      let isChanged = try repairing {
        try seenVersions.withLock {
          try $0.check(writer: connection, watcher: watcher)
        }
      }
      if isChanged {
        markShared()
        do {
          try read {
            recordPlacement(in: $0)
            try raiseNextKeys(in: $0)
          }
        } catch StoreError.migrated {
          // That is a change, too: readers find out what it is.
        }
      }
      return isChanged
    } catch let error as DatabaseError {
      throw storeError(error)
    }
  }
}

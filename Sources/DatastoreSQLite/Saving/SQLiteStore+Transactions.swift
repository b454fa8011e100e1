import DatastoreCore
import DatastoreSQL
import GRDB

extension SQLiteStore {
  /// Runs `body` in a transaction of the saving connection, and takes everything back when it throws.
  func writeTransaction<T>(_ body: (Database) throws -> T) throws -> T {
    try write { database in
      try database.beginTransaction(.immediate)
      do {
        if !self.mapping.isNative {
          // Constraints of other files may be immediate; they only have to hold in the end.
          try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
        }
        let result = try body(database)
        try SaveTransaction(self, ChangeSet(), database).commit()
        return result
      } catch {
        // The first error is the one to report; SQLite may have rolled back by itself already.
        if database.isInsideTransaction { try? database.rollback() }
        throw error
      }
    }
  }
}

import DatastoreCore
import DatastoreSQL
import GRDB

extension SQLiteStore {
  /// Runs `body` in a transaction of the saving connection, and rolls everything back when it throws.
  func writeTransaction<T>(_ body: (Database) throws -> T) throws -> T {
    try write { database in
      try begin(database)
      do {
        if !self.mapping.isNative {
          // Constraints of other files may be immediate; they only have to hold at the end.
          try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
        }
        let result = try body(database)
        try SaveTransaction(self, ChangeSet(), database).commit()
        return result
      } catch {
        // The first error is the one to report; SQLite may already have rolled back itself.
        rollBack(database)
        throw error
      }
    }
  }

  /// Begins a transaction or, inside a borrowed one, a savepoint.
  func begin(_ database: Database) throws {
    if isBorrowed {
      try RawStatement("SAVEPOINT datastore_save", in: database).run()
    } else {
      // A cached statement, because preparing it takes longer than running it; the same for COMMIT.
      try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
    }
  }

  /// Rolls back everything written since `begin`. SQLite may already have rolled back itself.
  func rollBack(_ database: Database) {
    guard database.isInsideTransaction else { return }
    if isBorrowed {
      try? RawStatement("ROLLBACK TO datastore_save", in: database).run()
      try? RawStatement("RELEASE datastore_save", in: database).run()
    } else {
      try? database.rollback()
    }
  }
}

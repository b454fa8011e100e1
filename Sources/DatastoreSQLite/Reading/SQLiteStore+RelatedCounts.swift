import DatastoreCore
import GRDB
import GRDBSQLite

/// How many objects to-many relationships lead to, for lists that show numbers and not members.
extension SQLiteStore {
  /// The number of saved members of a to-many relationship by owner, for many owners with one
  /// statement; owners without members are left out. Interrupted when the task is cancelled.
  ///
  /// - Throws: `StoreError`; `CancellationError`.
  package func relatedCounts(
    entity: Int, slot: Int, keys: [Int64]
  ) async throws -> [Int64: Int] {
    guard let link = schema.entities[entity].links[slot], link.kind.isToMany else {
      preconditionFailure("only to-many relationships lead to many objects")
    }
    return try await readAsync { database in
      let statement = try RawStatement(
        QueryBuilder(self.mapping).relatedCounts(link), in: database, isCached: true)
      defer { statement.reset() }
      try statement.bind(.text(keys.jsonText), at: 1)
      var counts: [Int64: Int] = [:]
      while try statement.step() {
        counts[sqlite3_column_int64(statement.pointer, 0)] = Int(
          sqlite3_column_int64(statement.pointer, 1))
      }
      return counts
    }
  }

  /// Whether the members of an owner are found by an index, so that counting them does not read a
  /// whole table. False for slots that are not to-many relationship. O(1).
  package func countsQuickly(entity: Int, slot: Int) -> Bool {
    schema.entities[entity].links[slot].map { mapping.countsQuickly($0) } ?? false
  }
}
